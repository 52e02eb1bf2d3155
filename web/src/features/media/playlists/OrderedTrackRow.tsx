import type { MediaFile } from '@alcove/contract/media'
import { IconGripVertical, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useRef } from 'react'
import { IconButton } from '../../../ui/IconButton.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import { TrackCover } from '../TrackCover.tsx'
import styles from './OrderedTracks.module.css'
import { useRowDrag } from './use-row-drag.ts'

interface OrderedTrackRowProps {
  /** What list it is a row of. */
  readonly list: string
  readonly track: MediaFile | undefined
  readonly position: number
  readonly isCurrent: boolean
  readonly isHeard: boolean
  readonly onPlay: (() => void) | undefined
  readonly onMove: (from: number, to: number) => void
  readonly onMoveBy: (by: -1 | 1) => void
  readonly onRemove: () => void
}

/** A track at its place, with a grip to move it and a button to remove it. */
export function OrderedTrackRow(props: OrderedTrackRowProps) {
  const { list, track, position, isCurrent, isHeard, onPlay, onMove, onMoveBy, onRemove } = props
  const row = useRef<HTMLDivElement>(null)
  const { isDragged, edge } = useRowDrag(row, { list, position, onMove })
  const name = track?.filename ?? 'a track in the trash'

  function onKeyDown(event: KeyboardEvent) {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    event.stopPropagation() // Alt and Up mean the folder above elsewhere
    onMoveBy(event.key === 'ArrowUp' ? -1 : 1)
  }

  const shown = track ? (
    <>
      <TrackCover className={styles.cover} track={track} />
      <ItemName className={styles.name} name={name} />
    </>
  ) : (
    <span className={styles.missing}>In the trash</span>
  )
  return (
    <div
      ref={row}
      className={styles.row}
      data-current={isCurrent || undefined}
      data-dragged={isDragged || undefined}
      data-edge={edge}
    >
      <button
        type="button"
        className={styles.grip}
        data-grip={position}
        aria-label={`Move ${name}`}
        title="Drag, or Alt and the arrow keys"
        onKeyDown={onKeyDown}
      >
        <IconGripVertical size={16} stroke={1.75} />
      </button>
      {onPlay ? (
        <button
          type="button"
          className={styles.track}
          aria-label={`Play ${name}`}
          aria-current={isCurrent || undefined}
          onClick={onPlay}
        >
          {shown}
        </button>
      ) : (
        <span className={styles.track}>{shown}</span>
      )}
      {isCurrent ? (
        <span className={styles.bars} data-heard={isHeard || undefined} aria-hidden>
          <i />
          <i />
          <i />
          <i />
        </span>
      ) : (
        <IconButton className={styles.remove} size={32} label={`Remove ${name}`} onClick={onRemove}>
          <IconX size={16} stroke={1.75} />
        </IconButton>
      )}
    </div>
  )
}
