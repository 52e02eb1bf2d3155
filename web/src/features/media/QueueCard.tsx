import type { MediaFile } from '@alcove/contract/media'
import { VisuallyHidden } from '@mantine/core'
import { IconGripVertical, IconX } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { Card } from '../../ui/Card.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import { changePlayerQueue } from './player/player.ts'
import { usePlayer } from './player/player-state.ts'
import styles from './QueueCard.module.css'
import { TrackCover } from './TrackCover.tsx'
import { useDragScroll, useQueueDrag } from './use-queue-drag.ts'

const ROW_HEIGHT = 48

/** What is played next, to be put in order by dragging, or with Alt and the arrow keys on a grip. */
export function QueueCard() {
  const { queue, library, status } = usePlayer()
  const scroller = useRef<HTMLDivElement>(null)
  const [said, setSaid] = useState('')
  const count = queue.tracks.length
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
  })
  useDragScroll(scroller)

  // The current track is kept in sight while the queue goes on by itself.
  useEffect(() => {
    if (queue.position < count) virtualizer.scrollToIndex(queue.position, { align: 'auto' })
  }, [virtualizer, queue.position, count])

  function move(from: number, by: -1 | 1) {
    const to = from + by
    if (to < 0 || to >= count) return
    changePlayerQueue({ type: 'move', from, to })
    setSaid(`Moved to ${to + 1} of ${formatCount(count)}`)
    virtualizer.scrollToIndex(to, { align: 'auto' })
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-grip="${to}"]`)?.focus())
  }

  function remove(position: number) {
    changePlayerQueue({ type: 'remove', position })
    // The button has gone: the focus stays at its place.
    requestAnimationFrame(() => {
      const grips = scroller.current?.querySelectorAll<HTMLElement>('[data-grip]')
      const near = [...(grips ?? [])].find((grip) => Number(grip.dataset.grip) >= position) ?? grips?.[grips.length - 1]
      near?.focus()
    })
  }

  return (
    <Card title="Queue">
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {count === 0 && <p className={styles.empty}>No tracks in queue.</p>}
      <div ref={scroller} className={styles.scroller}>
        <ol className={styles.list} style={{ height: virtualizer.getTotalSize() }} aria-label="Queue">
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const track = library[queue.tracks[index] ?? -1]
            return (
              track && (
                <li
                  // A track may be queued more than once, so its place is what tells rows apart.
                  key={index}
                  className={styles.item}
                  aria-setsize={count}
                  aria-posinset={index + 1}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <QueueRow
                    track={track}
                    position={index}
                    isCurrent={index === queue.position}
                    isHeard={status === 'playing'}
                    onMove={(by) => move(index, by)}
                    onRemove={() => remove(index)}
                  />
                </li>
              )
            )
          })}
        </ol>
      </div>
    </Card>
  )
}

interface QueueRowProps {
  readonly track: MediaFile
  readonly position: number
  readonly isCurrent: boolean
  readonly isHeard: boolean
  readonly onMove: (by: -1 | 1) => void
  readonly onRemove: () => void
}

function QueueRow({ track, position, isCurrent, isHeard, onMove, onRemove }: QueueRowProps) {
  const row = useRef<HTMLDivElement>(null)
  const { isDragged, edge } = useQueueDrag(row, position)

  function onKeyDown(event: KeyboardEvent) {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    event.stopPropagation() // Alt and Up mean the folder above elsewhere
    onMove(event.key === 'ArrowUp' ? -1 : 1)
  }

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
        aria-label={`Move ${track.filename}`}
        title="Drag, or Alt and the arrow keys"
        onKeyDown={onKeyDown}
      >
        <IconGripVertical size={16} stroke={1.75} />
      </button>
      <button
        type="button"
        className={styles.track}
        aria-label={`Play ${track.filename}`}
        aria-current={isCurrent || undefined}
        onClick={() => changePlayerQueue({ type: 'jump', position })}
      >
        <TrackCover className={styles.cover} track={track} />
        <ItemName className={styles.name} name={track.filename} />
      </button>
      {isCurrent ? (
        <span className={styles.bars} data-heard={isHeard || undefined} aria-hidden>
          <i />
          <i />
          <i />
          <i />
        </span>
      ) : (
        <IconButton className={styles.remove} size={32} label={`Remove ${track.filename}`} onClick={onRemove}>
          <IconX size={16} stroke={1.75} />
        </IconButton>
      )}
    </div>
  )
}
