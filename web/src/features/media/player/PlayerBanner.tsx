import { Button, Menu, Slider } from '@mantine/core'
import {
  IconArrowsShuffle,
  IconGauge,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  IconRepeat,
  IconRepeatOnce,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react'
import { formatCount } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import { TrackCover } from '../TrackCover.tsx'
import styles from './PlayerBanner.module.css'
import { adjust, next, previous, togglePlaying, toggleShuffle } from './player.ts'
import { currentTrack, usePlayer } from './player-state.ts'
import { SeekBar } from './SeekBar.tsx'

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const

/** The player of the Music screen: what is heard, and everything that can be done with it. */
export function PlayerBanner() {
  const player = usePlayer()
  const { queue, status } = player
  const track = currentTrack(player)
  if (!track) return null
  const isOn = status === 'playing' || status === 'loading'
  const byline = [track.title !== undefined && track.artist, track.album].filter(Boolean).join(' · ')
  return (
    <section className={styles.banner} aria-label="Player">
      <TrackCover key={track.id} className={styles.cover} track={track} size={512} />
      <div className={styles.facts}>
        <div className={styles.head}>
          <p className={styles.position}>
            {formatCount(queue.position + 1)}/{formatCount(queue.tracks.length)}
          </p>
          <div className={styles.tools}>
            <IconButton
              className={styles.tool}
              data-on={player.repeatsOne || undefined}
              label={player.repeatsOne ? 'Repeat this track: on' : 'Repeat this track: off'}
              aria-pressed={player.repeatsOne}
              onClick={() => adjust({ repeatsOne: !player.repeatsOne })}
            >
              {player.repeatsOne ? <IconRepeatOnce size={20} stroke={1.75} /> : <IconRepeat size={20} stroke={1.75} />}
            </IconButton>
            <SpeedMenu speed={player.speed} />
          </div>
        </div>
        <h2 className={styles.name}>
          <ItemName name={track.filename} />
        </h2>
        {byline && <p className={styles.byline}>{byline}</p>}
        {status === 'failed' ? (
          <p className={styles.failed}>This track cannot be played here.</p>
        ) : (
          <div className={styles.seek}>
            <SeekBar />
          </div>
        )}
        <div className={styles.controls}>
          <div className={styles.transport}>
            <Button
              className={styles.step}
              variant="transparent"
              leftSection={<IconPlayerSkipBack size={20} stroke={1.75} />}
              onClick={previous}
            >
              Prev
            </Button>
            <button
              type="button"
              className={styles.play}
              aria-label={isOn ? 'Pause' : 'Play'}
              data-loading={status === 'loading' || undefined}
              onClick={togglePlaying}
            >
              {isOn ? <IconPlayerPauseFilled size={26} /> : <IconPlayerPlayFilled size={26} />}
            </button>
            <Button
              className={styles.step}
              variant="transparent"
              rightSection={<IconPlayerSkipForward size={20} stroke={1.75} />}
              onClick={next}
            >
              Next
            </Button>
          </div>
          <div className={styles.ways}>
            <Button
              className={styles.shuffle}
              data-on={queue.isShuffled || undefined}
              variant="transparent"
              aria-pressed={queue.isShuffled}
              leftSection={<IconArrowsShuffle size={18} stroke={1.75} />}
              onClick={toggleShuffle}
            >
              {queue.isShuffled ? 'Shuffle On' : 'Shuffle Off'}
            </Button>
            <Volume volume={player.volume} isMuted={player.isMuted} />
          </div>
        </div>
      </div>
    </section>
  )
}

function SpeedMenu({ speed }: { readonly speed: number }) {
  return (
    <Menu width={120} position="top">
      <Menu.Target>
        <IconButton className={styles.tool} data-on={speed !== 1 || undefined} label={`Speed: ${speed}×`}>
          <IconGauge size={20} stroke={1.75} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        {SPEEDS.map((choice) => (
          <Menu.Item
            key={choice}
            role="menuitemradio"
            aria-checked={choice === speed}
            fw={choice === speed ? 650 : undefined}
            onClick={() => adjust({ speed: choice })}
          >
            {choice}×
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Volume({ volume, isMuted }: { readonly volume: number; readonly isMuted: boolean }) {
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
