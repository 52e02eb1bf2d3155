import { Slider } from '@mantine/core'
import { IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { IconButton } from '../../../ui/IconButton.tsx'
import styles from './PlayerBanner.module.css'
import { adjust } from './player.ts'

/** How loud it is, or that it is muted. */
export function VolumeControl({ volume, isMuted }: { readonly volume: number; readonly isMuted: boolean }) {
  const isSilent = isMuted || volume === 0
  return (
    <div className={styles.volume}>
      <IconButton
        className={styles.tool}
        label={isSilent ? 'Unmute' : 'Mute'}
        onClick={() => adjust({ isMuted: !isMuted })}
      >
        {isSilent ? <IconVolumeOff size={20} stroke={1.75} /> : <IconVolume size={20} stroke={1.75} />}
      </IconButton>
      <Slider
        className={styles.volumeBar}
        classNames={{ track: styles.volumeTrack, bar: styles.volumeFill, thumb: styles.volumeThumb }}
        size={4}
        thumbSize={12}
        min={0}
        max={1}
        step={0.05}
        label={null}
        value={isMuted ? 0 : volume}
        thumbLabel="Volume"
        thumbProps={{ 'aria-valuetext': `${Math.round((isMuted ? 0 : volume) * 100)} percent` }}
        onChange={(value) => adjust({ volume: value, isMuted: false })}
      />
    </div>
  )
}
