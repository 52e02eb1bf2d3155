import type { MediaFile } from '@alcove/contract/media'
import { VisuallyHidden } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { OrderedTrackRow } from './OrderedTrackRow.tsx'
import styles from './OrderedTracks.module.css'
import { useDragScroll } from './use-row-drag.ts'

const ROW_HEIGHT = 48

interface OrderedTracksProps {
  readonly label: string
  readonly count: number
  /** Undefined where it is not in the library any more. */
  readonly trackAt: (position: number) => MediaFile | undefined
  /** The one that is kept in sight, marked, and cannot be removed. */
  readonly current?: number
  readonly isHeard?: boolean
  readonly onPlay?: (position: number) => void
  readonly onMove: (from: number, to: number) => void
  readonly onRemove: (position: number) => void
}

/** Tracks in an order of the user's, changed by dragging, or with Alt and the arrow keys on a grip. */
export function OrderedTracks(props: OrderedTracksProps) {
  const { label, count, trackAt, current, isHeard = false, onPlay, onMove, onRemove } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [said, setSaid] = useState('')
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
    setSaid(`Moved to ${to + 1} of ${formatCount(count)}`)
    virtualizer.scrollToIndex(to, { align: 'auto' })
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-grip="${to}"]`)?.focus())
  }

  function remove(position: number) {
    onRemove(position)
    // The button has gone: the focus stays at its place.
    requestAnimationFrame(() => {
      const grips = scroller.current?.querySelectorAll<HTMLElement>('[data-grip]')
      const near = [...(grips ?? [])].find((grip) => Number(grip.dataset.grip) >= position) ?? grips?.[grips.length - 1]
      near?.focus()
    })
  }

  return (
    <>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <div ref={scroller} className={styles.scroller}>
        <ol className={styles.list} style={{ height: virtualizer.getTotalSize() }} aria-label={label}>
          {virtualizer.getVirtualItems().map(({ index, start }) => (
            <li
              // A track may be there more than once, so its place is what tells rows apart.
              key={index}
              className={styles.item}
              aria-setsize={count}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
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
            </li>
          ))}
        </ol>
      </div>
    </>
  )
}
