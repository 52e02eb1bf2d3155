import type { MediaFile } from '@alcove/contract/media'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { formatClock, plural } from '../../lib/format.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { playTracks } from './player/player.ts'
import { TrackCover } from './TrackCover.tsx'
import styles from './TrackGroup.module.css'

interface TrackGroupProps {
  readonly heading: string
  readonly tracks: readonly MediaFile[]
}

/** What stands above the tracks of an album or an artist, with a button to hear them all. */
export function TrackGroup({ heading, tracks }: TrackGroupProps) {
  const seconds = tracks.reduce((sum, { duration = 0 }) => sum + duration, 0)
  const cover = tracks.find(({ hasCover }) => hasCover) ?? tracks[0]
  return (
    <div className={styles.group}>
      {cover && <TrackCover className={styles.cover} track={cover} />}
      <h3 className={styles.heading} title={heading}>
        {heading}
      </h3>
      <span className={styles.details}>
        {plural(tracks.length, 'track')}
        {seconds > 0 && ` · ${formatClock(seconds)}`}
      </span>
      <IconButton label={`Play ${heading}`} onClick={() => playTracks(tracks.map(({ id }) => id))}>
        <IconPlayerPlayFilled size={16} />
      </IconButton>
    </div>
  )
}
