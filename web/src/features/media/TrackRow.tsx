import type { MediaFile } from '@alcove/contract/media'
import { Button } from '@mantine/core'
import { IconCheck, IconDots, IconPlus } from '@tabler/icons-react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { formatClock } from '../../lib/format.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import { playTrack } from './play-track.ts'
import { TrackCover } from './TrackCover.tsx'
import styles from './TrackList.module.css'

interface TrackRowProps {
  readonly track: MediaFile
  readonly isQueued: boolean
  readonly isCurrent: boolean
  readonly onMenu: (event: MouseEvent<HTMLElement>) => void
  readonly onAdd: () => void
}

/** One track: what it is, and what can be done with it. */
export function TrackRow({ track, isQueued, isCurrent, onMenu, onAdd }: TrackRowProps) {
  const { filename, title, artist, album, duration } = track
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
      <TrackCover className={styles.cover} track={track} />
      <div className={styles.names}>
        <ItemName className={styles.name} name={filename} />
        {tags && <span className={styles.tags}>{tags}</span>}
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
