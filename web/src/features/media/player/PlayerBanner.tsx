import type { MediaFile } from '@alcove/contract/media'
import { Button } from '@mantine/core'
import {
  IconArrowsShuffle,
  IconDownload,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBackFilled,
  IconPlayerSkipForwardFilled,
  IconRepeat,
  IconRepeatOnce,
} from '@tabler/icons-react'
import { formatCount } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import { downloadMedia } from '../media-file.ts'
import { TrackCover } from '../TrackCover.tsx'
import styles from './PlayerBanner.module.css'
import { SeekBar, SpeedMenu, VolumeControl } from './PlayerControls.tsx'
import { adjust, next, previous, togglePlaying, toggleShuffle } from './player.ts'
import { currentTrack, isPlayerOn, usePlayer } from './player-state.ts'

/** The player of the Music screen: the current track and all controls. */
export function PlayerBanner() {
  const player = usePlayer()
  const { queue, status } = player
  const track = currentTrack(player)
  if (!track) return null
  const isOn = isPlayerOn(player)
  const byline = [track.title !== undefined && track.artist, track.album].filter(Boolean).join(' · ')
  return (
    <section className={styles.banner} aria-label="Player">
      <TrackCover key={track.id} className={styles.cover} track={track} size={512} />
      <div className={styles.details}>
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
        {status === 'failed' ? <UnplayableTrack track={track} /> : <SeekBar />}
        <div className={styles.controls}>
          <div className={styles.transport}>
            <Button
              className={styles.step}
              variant="transparent"
              leftSection={<IconPlayerSkipBackFilled size={20} />}
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
              rightSection={<IconPlayerSkipForwardFilled size={20} />}
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
            <VolumeControl volume={player.volume} isMuted={player.isMuted} />
          </div>
        </div>
      </div>
    </section>
  )
}

/** Says that the track can't be played, with a button that downloads it. */
function UnplayableTrack({ track }: { readonly track: MediaFile }) {
  return (
    <div className={styles.failed}>
      <p className={styles.sentence} role="alert">
        This track can’t be played here. Download it to play it in another program.
      </p>
      <Button
        className={styles.step}
        variant="transparent"
        leftSection={<IconDownload size={18} stroke={1.75} />}
        onClick={() => void downloadMedia(track)}
      >
        Download
      </Button>
    </div>
  )
}
