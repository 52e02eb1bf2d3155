import type { MediaFile } from '@alcove/contract/media'
import { Button } from '@mantine/core'
import { IconCheck, IconDots, IconPlayerPlayFilled, IconPlus } from '@tabler/icons-react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { formatClock, plural } from '../../lib/format.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import { SharedBy } from '../../ui/SharedBy.tsx'
import { changePlayerQueue, playTracks, togglePlaying } from './player/player.ts'
import { getPlayer } from './player/player-state.ts'
import { TrackCover } from './TrackCover.tsx'
import styles from './TrackList.module.css'

interface TrackRowProps {
  readonly track: MediaFile
  readonly isQueued: boolean
  readonly isCurrent: boolean
  readonly onMenu: (event: MouseEvent<HTMLElement>) => void
  readonly onAdd: () => void
}

/** A track with its buttons. */
export function TrackRow({ track, isQueued, isCurrent, onMenu, onAdd }: TrackRowProps) {
  const { filename, title, artist, album, duration, sharedBy } = track
  const tags = [title, artist, album].filter(Boolean).join(' · ')

  function onKeyDown(event: KeyboardEvent) {
    if (event.target !== event.currentTarget || event.key !== 'Enter') return
    event.preventDefault()
    playTrack(track.id)
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a button could not hold the buttons of the row
    <div
      className={styles.row}
      role="group"
      aria-label={filename}
      aria-current={isCurrent || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: Enter plays it, the menu key opens its menu
      tabIndex={0}
      onContextMenu={onMenu}
      onDoubleClick={() => playTrack(track.id)}
      onKeyDown={onKeyDown}
    >
      <TrackCover isSmall track={track} />
      <div className={styles.names}>
        <ItemName className={styles.name} name={filename} />
        {(tags || sharedBy) && (
          <span className={styles.tags}>
            {tags}
            {tags && sharedBy && ' · '}
            {sharedBy && <SharedBy sharedBy={sharedBy} />}
          </span>
        )}
      </div>
      {duration !== undefined && <span className={styles.length}>{formatClock(duration)}</span>}
      {isQueued ? (
        <span className={styles.queued}>
          <IconCheck size={16} stroke={1.75} aria-hidden /> In queue
        </span>
      ) : (
        <Button
          className={styles.add}
          variant="subtle"
          size="xs"
          aria-label={`Add to Queue: ${filename}`}
          leftSection={<IconPlus size={16} stroke={1.75} />}
          onClick={onAdd}
          onDoubleClick={(event) => event.stopPropagation()}
        >
          Add to Queue
        </Button>
      )}
      <IconButton className={styles.more} label={`More for ${filename}`} aria-haspopup="menu" onClick={onMenu}>
        <IconDots size={18} stroke={1.75} />
      </IconButton>
    </div>
  )
}

interface TrackGroupProps {
  readonly heading: string
  readonly tracks: readonly MediaFile[]
}

/** The heading above the tracks of an album or artist, with a button that plays them all. */
export function TrackGroup({ heading, tracks }: TrackGroupProps) {
  const seconds = tracks.reduce((sum, { duration = 0 }) => sum + duration, 0)
  const cover = tracks.find(({ hasCover }) => hasCover) ?? tracks[0]
  return (
    <div className={styles.group}>
      {cover && <TrackCover className={styles.groupCover} track={cover} />}
      <h3 className={styles.heading} title={heading}>
        {heading}
      </h3>
      <span className={styles.groupDetails}>
        {plural(tracks.length, 'track')}
        {seconds > 0 && ` · ${formatClock(seconds)}`}
      </span>
      <IconButton label={`Play ${heading}`} onClick={() => playTracks(tracks.map(({ id }) => id))}>
        <IconPlayerPlayFilled size={16} />
      </IconButton>
    </div>
  )
}

/** Plays a track at its place in the queue, or adds it to the end of the queue and plays it there. */
export function playTrack(id: string): void {
  const { library, queue } = getPlayer()
  const track = library.findIndex((known) => known.id === id)
  if (track === -1) return
  const queuedAt = queue.tracks.indexOf(track)
  if (queuedAt === queue.position && queue.tracks.length > 0) {
    if (getPlayer().status === 'paused') togglePlaying()
    return
  }
  if (queuedAt === -1) changePlayerQueue({ type: 'add', track })
  changePlayerQueue({ type: 'jump', position: queuedAt === -1 ? queue.tracks.length : queuedAt })
}
