import { type RefObject, useEffect, useState } from 'react'
import { withDragTools } from '../../lib/drag-and-drop.ts'
import { dropPosition } from './drop-position.ts'
import { changePlayerQueue } from './player/player.ts'

const FROM = 'alcove-queue-position'

/** At which edge of a row something would be dropped. */
export type DropEdge = 'above' | 'below' | undefined

/** Lets a row of the queue be dragged to another place of it, and be such a place. */
export function useQueueDrag(
  row: RefObject<HTMLElement | null>,
  position: number,
): { isDragged: boolean; edge: DropEdge } {
  const [isDragged, setIsDragged] = useState(false)
  const [edge, setEdge] = useState<DropEdge>()
  useEffect(() => {
    const element = row.current
    if (!element) return
    const edgeAt = (y: number): DropEdge => {
      const { top, height } = element.getBoundingClientRect()
      return y < top + height / 2 ? 'above' : 'below'
    }
    return withDragTools(({ draggable, dropTargetForElements }) => {
      const stopDrag = draggable({
        element,
        getInitialData: () => ({ [FROM]: position }),
        onDragStart: () => setIsDragged(true),
        onDrop: () => setIsDragged(false),
      })
      const stopDrop = dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data[FROM] !== undefined,
        onDrag: ({ source, location }) =>
          setEdge(source.data[FROM] === position ? undefined : edgeAt(location.current.input.clientY)),
        onDragLeave: () => setEdge(undefined),
        onDrop({ source, location }) {
          setEdge(undefined)
          const from = Number(source.data[FROM])
          const isBelow = edgeAt(location.current.input.clientY) === 'below'
          changePlayerQueue({ type: 'move', from, to: dropPosition(from, position, isBelow) })
        },
      })
      return () => {
        stopDrag()
        stopDrop()
      }
    })
  }, [row, position])
  return { isDragged, edge }
}

/** Scrolls a list while something is dragged near its ends. */
export function useDragScroll(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = list.current
    if (!element) return
    return withDragTools(({ autoScrollForElements }) => autoScrollForElements({ element }))
  }, [list])
}
