import type { MediaFile, Playlist } from '@alcove/contract/media'
import { Button, Group, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconCheck, IconPlaylist } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { plural } from '../../lib/format.ts'
import { sentenceOf } from '../../lib/sentence-of.ts'
import { ItemName } from '../../ui/ItemName.tsx'
import { notifySuccess } from '../../ui/notify.tsx'
import styles from './AddToPlaylistModal.module.css'
import { usePlaylists } from './queries.ts'
import { usePlaylistChanges } from './use-playlist-changes.ts'

/** Puts a track into a playlist that there is, or into a new one. */
export function openAddToPlaylistModal(track: MediaFile): void {
  const modalId = modals.open({
    title: 'Add to Playlist',
    size: 440,
    children: <AddToPlaylist track={track} onClose={() => modals.close(modalId)} />,
  })
}

interface AddToPlaylistProps {
  readonly track: MediaFile
  readonly onClose: () => void
}

function AddToPlaylist({ track, onClose }: AddToPlaylistProps) {
  const { data: playlists, isPending } = usePlaylists()
  const { create, update } = usePlaylistChanges()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const isBusy = create.isPending || update.isPending

  async function run(work: Promise<Playlist>) {
    try {
      const { name: changed } = await work
      notifySuccess(`Added to ${changed}.`)
      onClose()
    } catch (error) {
      setProblem(sentenceOf(error) ?? 'The playlist could not be changed. Check your connection, then try again.')
    }
  }

  function addTo({ id, track_ids }: Playlist) {
    if (!isBusy) void run(update.mutateAsync({ id, track_ids: [...track_ids, track.id] }))
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    if (name.trim() === '') return setProblem('Playlist name cannot be empty.')
    void run(create.mutateAsync({ name, track_ids: [track.id] }))
  }

  return (
    <>
      <p className={styles.track}>
        <ItemName name={track.filename} />
      </p>
      {isPending && <p className={styles.hint}>Loading...</p>}
      {playlists && playlists.length > 0 && (
        <ul className={styles.list} aria-label="Your Playlists">
          {playlists.map((playlist) => {
            const has = playlist.track_ids.includes(track.id)
            return (
              <li key={playlist.id}>
                <button
                  type="button"
                  className={styles.playlist}
                  disabled={has || isBusy}
                  onClick={() => addTo(playlist)}
                >
                  <IconPlaylist size={20} stroke={1.75} aria-hidden />
                  <bdi className={styles.name}>{playlist.name}</bdi>
                  <span className={styles.count}>
                    {has ? (
                      <>
                        <IconCheck size={14} stroke={2} aria-hidden /> Already in it
                      </>
                    ) : (
                      plural(playlist.track_ids.length, 'track')
                    )}
                  </span>
                </button>
              </li>
            )
          })}
        </ul>
      )}
      <form onSubmit={submit} noValidate>
        <TextInput
          label="Create New Playlist"
          placeholder="New playlist name"
          value={name}
          error={problem}
          maxLength={200}
          dir="auto"
          autoComplete="off"
          data-autofocus={playlists?.length === 0 || undefined}
          onChange={(event) => {
            setName(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="subtle" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Submit
          </Button>
        </Group>
      </form>
    </>
  )
}
