import { MAX_PLAYLIST_NAME_LENGTH } from '@alcove/contract/limits'
import type { MediaFile, Playlist } from '@alcove/contract/media'
import { modals } from '@mantine/modals'
import { IconCheck, IconPlaylist } from '@tabler/icons-react'
import { sentenceOf } from '../../../api/sentence-of.ts'
import { plural } from '../../../lib/format.ts'
import { ItemName } from '../../../ui/ItemName.tsx'
import { NameForm } from '../../../ui/NameForm.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { usePlaylists } from '../queries.ts'
import styles from './AddToPlaylistModal.module.css'
import { checkPlaylistName } from './check-playlist-name.ts'
import { usePlaylistChanges } from './use-playlist-changes.ts'

const FAILURE = 'The playlist could not be changed. Check your connection, then try again.'

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
  const isBusy = create.isPending || update.isPending

  async function addTo({ id, name, track_ids }: Playlist) {
    if (isBusy) return
    try {
      await update.mutateAsync({ id, track_ids: [...track_ids, track.id] })
      notifySuccess(`Added to ${name}.`)
      onClose()
    } catch (error) {
      notifyError(sentenceOf(error) ?? FAILURE)
    }
  }

  async function addToNew(name: string) {
    await create.mutateAsync({ name, track_ids: [track.id] })
    notifySuccess(`Added to ${name}.`)
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
                  onClick={() => void addTo(playlist)}
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
      <NameForm
        label="Create New Playlist"
        placeholder="New playlist name"
        verb="Submit"
        maxLength={MAX_PLAYLIST_NAME_LENGTH}
        isFocused={playlists?.length === 0}
        check={checkPlaylistName}
        failure={FAILURE}
        isBusy={create.isPending}
        onSubmit={addToNew}
        onClose={onClose}
      />
    </>
  )
}
