import type { Playlist } from '@alcove/contract/media'
import { modals } from '@mantine/modals'
import { useMemo, useState } from 'react'
import { sentenceOf } from '../../../api/sentence-of.ts'
import { notifyError } from '../../../ui/toasts/notify.tsx'
import { useAudio } from '../queries.ts'
import { OrderedTracks } from './OrderedTracks.tsx'
import styles from './QueueCard.module.css'
import { usePlaylistChanges } from './use-playlist-changes.ts'

/** Lets a playlist's tracks be put in order and removed; each change is kept at once. */
export function openEditPlaylistModal(playlist: Playlist): void {
  modals.open({ title: playlist.name, size: 480, children: <EditPlaylist playlist={playlist} /> })
}

function EditPlaylist({ playlist }: { readonly playlist: Playlist }) {
  const { data: library } = useAudio()
  const { update } = usePlaylistChanges()
  const [trackIds, setTrackIds] = useState<readonly string[]>(playlist.track_ids)
  const tracks = useMemo(() => new Map(library?.map((track) => [track.id, track])), [library])

  function change(next: string[]) {
    const before = trackIds
    setTrackIds(next)
    update.mutate(
      { id: playlist.id, track_ids: next },
      {
        onError: (error) => {
          setTrackIds(before)
          notifyError(sentenceOf(error) ?? 'The playlist could not be changed. Check your connection, then try again.')
        },
      },
    )
  }

  function move(from: number, to: number) {
    const next = [...trackIds]
    next.splice(to, 0, ...next.splice(from, 1))
    change(next)
  }

  if (trackIds.length === 0) return <p className={styles.empty}>No tracks in this playlist.</p>
  return (
    <OrderedTracks
      label={`Tracks of ${playlist.name}`}
      count={trackIds.length}
      trackAt={(position) => tracks.get(trackIds[position] ?? '')}
      onMove={move}
      onRemove={(position) => change(trackIds.toSpliced(position, 1))}
    />
  )
}
