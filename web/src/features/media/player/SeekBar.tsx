import { Slider } from '@mantine/core'
import { useState } from 'react'
import { formatClock } from '../../../lib/format.ts'
import { seek } from './player.ts'
import { usePlayerTime } from './player-state.ts'
import styles from './SeekBar.module.css'

/** Where in the track the player is, to be moved by mouse, finger or arrow keys, with the times at its ends. */
export function SeekBar() {
  const { position, duration } = usePlayerTime()
  const [dragged, setDragged] = useState<number>()
  const shown = dragged ?? position
  return (
    <div className={styles.seek}>
      <Slider
        classNames={{ track: styles.track, bar: styles.bar, thumb: styles.thumb }}
        size={6}
        thumbSize={14}
        min={0}
        max={Math.max(duration, 0.1)}
        step={1}
        value={Math.min(shown, Math.max(duration, 0.1))}
        label={null}
        disabled={duration === 0}
        thumbLabel="Seek"
        thumbProps={{ 'aria-valuetext': `${formatClock(shown)} of ${formatClock(duration)}` }}
        onChange={setDragged}
        onChangeEnd={(value) => {
          setDragged(undefined)
          seek(value)
        }}
      />
      <div className={styles.times}>
        <span>{formatClock(shown)}</span>
        <span>{duration > 0 ? formatClock(duration) : '-:--'}</span>
      </div>
    </div>
  )
}
