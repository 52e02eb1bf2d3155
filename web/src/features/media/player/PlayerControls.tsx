import { Menu, Slider } from '@mantine/core'
import { IconGauge, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { formatClock } from '../../../lib/format.ts'
import { Dropdown } from '../../../ui/Dropdown.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import styles from './PlayerBanner.module.css'
import { adjust, seek } from './player.ts'
import { usePlayerTime } from './player-state.ts'

/** Shows and changes the position in the track, with the times at both ends. */
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

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const

/** Chooses the playback speed. */
export function SpeedMenu({ speed }: { readonly speed: number }) {
  return (
    <Dropdown width={120} position="top">
      <Menu.Target>
        <IconButton className={styles.tool} data-on={speed !== 1 || undefined} label={`Speed: ${speed}×`}>
          <IconGauge size={20} stroke={1.75} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={String(speed)} onChange={(choice) => adjust({ speed: Number(choice) })}>
          {SPEEDS.map((choice) => (
            <Menu.RadioItem closeMenuOnClick key={choice} value={String(choice)}>
              {choice}×
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Dropdown>
  )
}

/** Changes the volume and mutes the sound. */
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
        classNames={{
          track: styles.volumeTrack,
          bar: styles.volumeFill,
          thumb: styles.volumeThumb,
        }}
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
