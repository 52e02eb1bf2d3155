import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBackFilled,
  IconPlayerSkipForwardFilled,
  IconX,
} from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { IconButton } from '../../ui/IconButton.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import styles from './NowPlaying.module.css'
import './player/media-session.ts'
import { closePlayer, next, previous, setLibrary, togglePlaying } from './player/player.ts'
import { currentTrack, isPlayerOn, usePlayer, usePlayerTime } from './player/player-state.ts'
import { useAudio } from './queries.ts'
import { TrackCover } from './TrackCover.tsx'

/** The small player on other screens, where the music continues. */
export function NowPlaying() {
  const { data: tracks } = useAudio()
  const player = usePlayer()
  const track = currentTrack(player)
  const isOn = isPlayerOn(player)

  useEffect(() => {
    if (!tracks) return
    if (tracks.length > 0) setLibrary(tracks, { begins: false })
    else closePlayer()
  }, [tracks])

  if (!track) return null
  return (
    <section className={styles.player} aria-label="Now playing">
      <Elapsed />
      <Link className={styles.track} to="/music" aria-label={`Open the player: ${track.filename}`}>
        <TrackCover isSmall track={track} />
        <ItemName className={styles.name} name={track.filename} />
      </Link>
      <div className={styles.controls}>
        <IconButton size={32} label="Prev" onClick={previous}>
          <IconPlayerSkipBackFilled size={18} />
        </IconButton>
        <IconButton size={32} label={isOn ? 'Pause' : 'Play'} onClick={togglePlaying}>
          {isOn ? <IconPlayerPauseFilled size={20} /> : <IconPlayerPlayFilled size={20} />}
        </IconButton>
        <IconButton size={32} label="Next" onClick={next}>
          <IconPlayerSkipForwardFilled size={18} />
        </IconButton>
        <IconButton className={styles.close} size={32} label="Close the player" onClick={closePlayer}>
          <IconX size={16} stroke={1.75} />
        </IconButton>
      </div>
    </section>
  )
}

/** The progress of the track, as a line at the top. A component of its own, because it renders several times a second. */
function Elapsed() {
  const { position, duration } = usePlayerTime()
  const share = duration > 0 ? Math.min(1, position / duration) : 0
  return <span className={styles.elapsed} style={{ transform: `scaleX(${share})` }} aria-hidden />
}
