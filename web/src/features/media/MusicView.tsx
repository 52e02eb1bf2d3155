import { type ReactNode, useEffect } from 'react'
import { RecordNiche } from '../../ui/art/media-niches.tsx'
import { Card } from '../../ui/Card.tsx'
import { isKeyTaken } from '../../ui/dialogs/open-layers.ts'
import { LoadError } from '../../ui/LoadError.tsx'
import { EmptyMedia, MediaSkeleton } from './MediaStates.tsx'
import styles from './MusicView.module.css'
import { PlayerBanner } from './player/PlayerBanner.tsx'
import { adjust, changePlayerQueue, seek, setLibrary, togglePlaying } from './player/player.ts'
import { getPlayer, getPlayerTime, usePlayer } from './player/player-state.ts'
import { OrderedTracks } from './playlists/OrderedTracks.tsx'
import { PlaylistsCard } from './playlists/PlaylistsCard.tsx'
import { useAudio } from './queries.ts'
import { TrackList } from './TrackList.tsx'
import './player/media-session.ts'

interface MusicViewProps {
  /** The button that an empty library shows. */
  readonly emptyAction: ReactNode
}

/** The Music screen: the player, all tracks, the queue and the playlists. */
export function MusicView({ emptyAction }: MusicViewProps) {
  const { data: tracks, error, isFetching, refetch } = useAudio()
  usePlayerKeys()

  useEffect(() => {
    if (tracks) setLibrary(tracks)
  }, [tracks])
  useEffect(() => {
    if (error) console.error("Couldn't load the music.", error)
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
        {!tracks && !error && <MediaSkeleton kind="music" text="Loading..." />}
        {!tracks && error && (
          <LoadError text="Couldn't load your music." isBusy={isFetching} onRetry={() => void refetch()} />
        )}
      </div>
      {/* Beside the tracks, or below them on narrow screens. Shown once the tracks have their height. */}
      {(tracks || error) && (
        <div className={styles.side}>
          <QueueCard />
          <PlaylistsCard />
        </div>
      )}
    </div>
  )
}

/** The queue, whose tracks can be reordered and removed. */
function QueueCard() {
  const { queue, library, status } = usePlayer()
  const count = queue.tracks.length
  return (
    <Card title="Queue">
      {count === 0 && <p className={styles.empty}>No tracks in queue.</p>}
      <OrderedTracks
        label="Queue"
        count={count}
        trackAt={(position) => library[queue.tracks[position] ?? -1]}
        current={queue.position}
        isHeard={status === 'playing'}
        onPlay={(position) => changePlayerQueue({ type: 'jump', position })}
        onMove={(from, to) => changePlayerQueue({ type: 'move', from, to })}
        onRemove={(position) => changePlayerQueue({ type: 'remove', position })}
      />
    </Card>
  )
}

/** How far an arrow key seeks, in seconds. */
const SEEK_STEP = 5

/** Handles the keys of the Music screen: Space or K plays and pauses, arrows seek, M mutes. */
function usePlayerKeys(): void {
  useEffect(() => {
    const keys: Record<string, () => void> = {
      ' ': togglePlaying,
      k: togglePlaying,
      m: () => adjust({ isMuted: !getPlayer().isMuted }),
      ArrowLeft: () => seek(getPlayerTime().position - SEEK_STEP),
      ArrowRight: () => seek(getPlayerTime().position + SEEK_STEP),
    }
    function handleKey(event: KeyboardEvent) {
      const run = keys[event.key]
      const isControl = event.target instanceof Element && event.target.closest('button, a, input, [role="slider"]')
      if (!run || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isControl || isKeyTaken(event)) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])
}
