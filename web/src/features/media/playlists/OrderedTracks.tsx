import type { MediaFile } from '@alcove/contract/media'
import { VisuallyHidden } from '@mantine/core'
import { IconGripVertical, IconX } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import { VirtualList, VirtualRow } from '../../../ui/VirtualList.tsx'
import { TrackCover } from '../TrackCover.tsx'
import styles from './OrderedTracks.module.css'
import { useDragScroll, useRowDrag } from './use-row-drag.ts'

const ROW_HEIGHT = 48

interface OrderedTracksProps {
  readonly label: string
  readonly count: number
  /** Returns undefined if the track is no longer in the library. */
  readonly trackAt: (position: number) => MediaFile | undefined
  /** The track that is highlighted and kept in view, and can't be removed. */
  readonly current?: number
  readonly isHeard?: boolean
  readonly onPlay?: (position: number) => void
  readonly onMove: (from: number, to: number) => void
  readonly onRemove: (position: number) => void
}

/** Tracks that the user can reorder by dragging, or with Alt and the arrow keys on a grip. */
export function OrderedTracks(props: OrderedTracksProps) {
  const { label, count, trackAt, current, isHeard = false, onPlay, onMove, onRemove } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
  })
  useDragScroll(scroller)

  useEffect(() => {
    if (current !== undefined && current < count) virtualizer.scrollToIndex(current, { align: 'auto' })
  }, [virtualizer, current, count])

  function moveBy(from: number, by: -1 | 1) {
    const to = from + by
    if (to < 0 || to >= count) return
    onMove(from, to)
    setAnnouncement(`Moved to ${to + 1} of ${formatCount(count)}`)
    virtualizer.scrollToIndex(to, { align: 'auto' })
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-grip="${to}"]`)?.focus())
  }

  function remove(position: number) {
    onRemove(position)
    // The focused button is gone, so the grip at its place gets the focus.
    requestAnimationFrame(() => {
      const grips = scroller.current?.querySelectorAll<HTMLElement>('[data-grip]')
      const near = [...(grips ?? [])].find((grip) => Number(grip.dataset.grip) >= position) ?? grips?.[grips.length - 1]
      near?.focus()
    })
  }

  return (
    <>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <div ref={scroller} className={styles.scroller}>
        <VirtualList isOrdered height={virtualizer.getTotalSize()} aria-label={label}>
          {virtualizer.getVirtualItems().map(({ index, start }) => (
            <VirtualRow
              // A track may occur more than once, so its position is the key.
              key={index}
              aria-setsize={count}
              aria-posinset={index + 1}
              top={start}
            >
              <OrderedTrackRow
                list={label}
                track={trackAt(index)}
                position={index}
                isCurrent={index === current}
                isHeard={isHeard}
                onPlay={onPlay && (() => onPlay(index))}
                onMove={onMove}
                onMoveBy={(by) => moveBy(index, by)}
                onRemove={() => remove(index)}
              />
            </VirtualRow>
          ))}
        </VirtualList>
      </div>
    </>
  )
}

interface OrderedTrackRowProps {
  /** The name of the list that the row belongs to. */
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

/** A row with a grip that moves the track and a button that removes it. */
function OrderedTrackRow(props: OrderedTrackRowProps) {
  const { list, track, position, isCurrent, isHeard, onPlay, onMove, onMoveBy, onRemove } = props
  const row = useRef<HTMLDivElement>(null)
  const { isDragged, edge } = useRowDrag(row, { list, position, onMove })
  const name = track?.filename ?? 'a track in the trash'

  function onKeyDown(event: KeyboardEvent) {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    event.stopPropagation() // Alt+Up goes to the parent folder on other screens
    onMoveBy(event.key === 'ArrowUp' ? -1 : 1)
  }

  const shown = track ? (
    <>
      <TrackCover isSmall track={track} />
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
        title="Drag, or press Alt and an arrow key"
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
