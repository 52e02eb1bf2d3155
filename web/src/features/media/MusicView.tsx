import { type ReactNode, useEffect } from 'react'
import { useDelayed } from '../../lib/use-delayed.ts'
import { RecordNiche } from '../../ui/art/media-niches.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { EmptyMedia } from './EmptyMedia.tsx'
import styles from './MusicView.module.css'
import { PlayerBanner } from './player/PlayerBanner.tsx'
import { setLibrary } from './player/player.ts'
import { PlaylistsCard } from './playlists/PlaylistsCard.tsx'
import './player/media-session.ts'
import { QueueCard } from './playlists/QueueCard.tsx'
import { useAudio } from './queries.ts'
import { TrackList } from './TrackList.tsx'
import { usePlayerKeys } from './use-player-keys.ts'

interface MusicViewProps {
  /** What an empty library offers. */
  readonly emptyAction: ReactNode
}

/** The whole of the Music screen: the player, all tracks, the queue and the playlists. */
export function MusicView({ emptyAction }: MusicViewProps) {
  const { data: tracks, error, isFetching, refetch } = useAudio()
  usePlayerKeys()

  useEffect(() => {
    if (tracks) setLibrary(tracks)
  }, [tracks])
  useEffect(() => {
    if (error) console.error('The music could not be loaded.', error)
  }, [error])

  return (
    <div className={styles.columns}>
      <div className={styles.main}>
        {tracks && tracks.length > 0 && (
          <>
            <PlayerBanner />
            <TrackList tracks={tracks} />
          </>
        )}
        {tracks?.length === 0 && (
          <EmptyMedia
            art={<RecordNiche />}
            title="No audio files available."
            hint="Upload mp3, wav, m4a, flac, ogg or opus files and they line up here, ready to play."
            action={emptyAction}
          />
        )}
        {!tracks && !error && <MusicSkeleton />}
        {!tracks && error && (
          <LoadError text="Your music could not be loaded." isBusy={isFetching} onRetry={() => void refetch()} />
        )}
      </div>
      {/* Beside the tracks or, on narrow screens, below them: shown once they have their place. */}
      {(tracks || error) && (
        <div className={styles.side}>
          <QueueCard />
          <PlaylistsCard />
        </div>
      )}
    </div>
  )
}

function MusicSkeleton() {
  const isShown = useDelayed(true, 150)
  return (
    <div className={styles.skeleton} data-shown={isShown || undefined}>
      <p role="status">Loading...</p>
      <div className={styles.skeletonBanner} />
    </div>
  )
}
