import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { withDragTools } from '../../../items/drag/drag-and-drop.ts'

const FROM = 'alcove-row-position'
const LIST = 'alcove-row-list'

/** The edge of a row at which a dragged row would be dropped. */
type DropEdge = 'above' | 'below' | undefined

interface RowDragOptions {
  /** Rows are dragged within one list. */
  readonly list: string
  readonly position: number
  readonly onMove: (from: number, to: number) => void
}

/** Makes a row of a list draggable, and a target for the other rows of the list. */
export function useRowDrag(
  row: RefObject<HTMLElement | null>,
  { list, position, onMove }: RowDragOptions,
): { isDragged: boolean; edge: DropEdge } {
  const move = useEffectEvent(onMove)
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
        getInitialData: () => ({ [FROM]: position, [LIST]: list }),
        onDragStart: () => setIsDragged(true),
        onDrop: () => setIsDragged(false),
      })
      const stopDrop = dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data[LIST] === list,
        onDrag: ({ source, location }) =>
          setEdge(source.data[FROM] === position ? undefined : edgeAt(location.current.input.clientY)),
        onDragLeave: () => setEdge(undefined),
        onDrop({ source, location }) {
          setEdge(undefined)
          const from = Number(source.data[FROM])
          const isBelow = edgeAt(location.current.input.clientY) === 'below'
          move(from, dropPosition(from, position, isBelow))
        },
      })
      return () => {
        stopDrag()
        stopDrop()
      }
    })
  }, [row, list, position])
  return { isDragged, edge }
}

/** Scrolls a list while a row is dragged near one of its ends. */
export function useDragScroll(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = list.current
    if (!element) return
    return withDragTools(({ autoScrollForElements }) => autoScrollForElements({ element }))
  }, [list])
}

/** Returns the new position of an item that is dragged from `from` to the upper or lower edge of the one at `over`. */
export function dropPosition(from: number, over: number, isBelow: boolean): number {
  const gap = isBelow ? over + 1 : over
  // Removing it moves the items behind it up by one.
  return from < gap ? gap - 1 : gap
}
