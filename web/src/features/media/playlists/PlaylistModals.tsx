import { MAX_PLAYLIST_NAME_LENGTH } from '@alcove/contract/limits'
import type { MediaFile, Playlist } from '@alcove/contract/media'
import { modals } from '@mantine/modals'
import { IconCheck, IconPlaylist } from '@tabler/icons-react'
import { useMemo } from 'react'
import { sentenceOf } from '../../../api/api.ts'
import { usePendingValue } from '../../../api/use-pending-value.ts'
import { type CheckedName, NameForm } from '../../../items/NameForm.tsx'
import { plural } from '../../../lib/format.ts'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { useAudio, usePlaylistChanges, usePlaylists } from '../queries.ts'
import { OrderedTracks } from './OrderedTracks.tsx'
import styles from './PlaylistModals.module.css'
import { addition, movement, removal, type TrackChange } from './track-changes.ts'

const FAILURE = 'The playlist could not be changed. Check your connection, then try again.'

/** Lets the user add a track to a playlist, or to a new one. */
export function openAddToPlaylistModal(track: MediaFile): void {
  const modalId = openDialog({
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
  const { create, changeTracks } = usePlaylistChanges()
  const isBusy = create.isPending || changeTracks.isPending

  async function addTo({ id, name }: Playlist) {
    if (isBusy) return
    try {
      await changeTracks.mutateAsync({ id, change: addition(track.id) })
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
                        <IconCheck size={14} stroke={2} aria-hidden /> Already in this playlist
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

export function openRenamePlaylistModal(playlist: Playlist): void {
  const modalId = openDialog({
    title: 'Rename Playlist',
    size: 420,
    children: <RenamePlaylist playlist={playlist} onClose={() => modals.close(modalId)} />,
  })
}

interface RenamePlaylistProps {
  readonly playlist: Playlist
  readonly onClose: () => void
}

function RenamePlaylist({ playlist: { id, name: initialName }, onClose }: RenamePlaylistProps) {
  const { rename } = usePlaylistChanges()
  return (
    <NameForm
      label="Playlist Name"
      verb="Rename"
      initialName={initialName}
      maxLength={MAX_PLAYLIST_NAME_LENGTH}
      check={checkPlaylistName}
      failure="Couldn't rename the playlist. Check your connection, then try again."
      isBusy={rename.isPending}
      onSubmit={(name) => rename.mutateAsync({ id, name })}
      onClose={onClose}
    />
  )
}

/** Lets the user reorder and remove the tracks of a playlist. Each change is saved at once. */
export function openEditPlaylistModal(playlist: Playlist): void {
  openDialog({ title: playlist.name, size: 480, children: <EditPlaylist playlist={playlist} /> })
}

function EditPlaylist({ playlist: { id, name, track_ids } }: { readonly playlist: Playlist }) {
  const { data: library } = useAudio()
  const { data: playlists } = usePlaylists()
  const { changeTracks } = usePlaylistChanges()
  const stored = playlists ? playlists.find((playlist) => playlist.id === id)?.track_ids : track_ids
  const [trackIds, show] = usePendingValue<readonly string[]>(stored ?? [])
  const tracks = useMemo(() => new Map(library?.map((track) => [track.id, track])), [library])

  function change(made: TrackChange) {
    const saving = changeTracks.mutateAsync({ id, change: made })
    show(made(trackIds), saving)
    saving.catch((error: unknown) => notifyError(sentenceOf(error) ?? FAILURE))
  }

  if (trackIds.length === 0) return <p className={styles.empty}>No tracks in this playlist.</p>
  return (
    <OrderedTracks
      label={`Tracks of ${name}`}
      count={trackIds.length}
      trackAt={(position) => tracks.get(trackIds[position] ?? '')}
      onMove={(from, to) => change(movement(trackIds, from, to))}
      onRemove={(position) => change(removal(trackIds, position))}
    />
  )
}

/** Checks a name before the request, by the same rule as the server. */
function checkPlaylistName(typed: string): CheckedName {
  const name = typed.trim()
  return { name, problem: name === '' ? 'Playlist name cannot be empty.' : undefined }
}
