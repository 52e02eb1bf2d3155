import { type RefObject, useEffect, useEffectEvent } from 'react'
import { type ItemList, itemsBetween } from '../lists/item-lists.ts'
import type { Selection } from '../selection.ts'
import type { SelectionControl } from '../use-selection.ts'
import { type Box, type Layout, rangesIn } from './layout.ts'

interface Marquee {
  /** The element that the layout's places are counted from. */
  readonly body: RefObject<HTMLElement | null>
  /** What is drawn. */
  readonly frame: RefObject<HTMLElement | null>
  readonly list: ItemList
  readonly layout: Layout
  readonly selection: SelectionControl
  /** The frame has been let go; the last item in it is told. */
  readonly onEnd: (index: number) => void
}

/** A mouse that has moved less than this has clicked. */
const SLACK = 4
/** Nearer to an edge of the window than this the page scrolls, up to so far a frame. */
const EDGE = 56
const FASTEST = 28

/**
 * Lets items be selected by drawing a frame around them, from any empty place of the panel. What it holds is worked out
 * from the layout, so that items out of view are in it too. A click on an empty place selects nothing.
 */
export function useMarquee({ body, frame, list, layout, selection, onEnd }: Marquee): void {
  const isEmptyPlace = useEffectEvent(({ target, clientX, clientY }: PointerEvent) => {
    const grid = body.current?.parentElement
    const panel = body.current?.closest('main')?.parentElement
    if (!grid || !(target instanceof Element) || !panel?.contains(target)) return false
    if (!target.contains(grid) && !grid.contains(target)) return false
    if (target.closest('[data-index], [role="columnheader"], [role="menu"], button, a, input, label')) return false
    return clientX < document.documentElement.clientWidth && clientY > grid.getBoundingClientRect().top
  })

  const show = useEffectEvent((box: Box | undefined) => {
    if (!frame.current) return
    frame.current.hidden = box === undefined
    if (box)
      Object.assign(frame.current.style, {
        transform: `translate(${box.left}px, ${box.top}px)`,
        width: `${box.width}px`,
        height: `${box.height}px`,
      })
  })

  /** Selects what the frame holds, unless it holds the same as before. */
  const select = useEffectEvent((box: Box, before: Selection, isAdding: boolean, last: string) => {
    const ranges = [...rangesIn(layout, box)]
    const key = `${ranges[0]} ${ranges.at(-1)}`
    if (key !== last) {
      const framed = ranges.flatMap(([start, end]) => itemsBetween(list, start, end))
      selection.frame(
        before,
        framed.map(({ id }) => id),
        isAdding,
      )
    }
    return { key, end: ranges.at(-1)?.[1] }
  })

  const clear = useEffectEvent(() => selection.clear())
  const getBefore = useEffectEvent(() => selection.current())
  const end = useEffectEvent((index: number) => onEnd(index))

  useEffect(() => {
    let stop: (() => void) | undefined

    function begin(event: PointerEvent) {
      if (event.button !== 0 || event.pointerType !== 'mouse' || !isEmptyPlace(event)) return
      const [startX, startY] = placeOf(event.clientX, event.clientY)
      const before = getBefore()
      const isAdding = event.ctrlKey || event.metaKey || event.shiftKey
      const controller = new AbortController()
      const pointer = { x: event.clientX, y: event.clientY }
      let isDrawn = false
      let held: { key: string; end?: number } = { key: '' }
      let tick = 0

      function draw() {
        const [x, y] = placeOf(pointer.x, pointer.y)
        isDrawn ||= Math.hypot(x - startX, y - startY) > SLACK
        if (!isDrawn) return
        const box = {
          left: Math.min(x, startX),
          top: Math.min(y, startY),
          width: Math.abs(x - startX),
          height: Math.abs(y - startY),
        }
        show(box)
        held = select(box, before, isAdding, held.key)
      }

      /** Once a frame, as long as the button is held: the page may scroll below a mouse that rests. */
      function follow() {
        const speed = scrollSpeed(pointer.y)
        if (isDrawn && speed !== 0) window.scrollBy({ top: speed, behavior: 'instant' })
        draw()
        tick = requestAnimationFrame(follow)
      }

      stop = () => {
        cancelAnimationFrame(tick)
        controller.abort()
        show(undefined)
        stop = undefined
      }
      const { signal } = controller
      document.addEventListener(
        'pointermove',
        ({ clientX, clientY }) => {
          pointer.x = clientX
          pointer.y = clientY
        },
        { signal },
      )
      document.addEventListener('selectstart', (selecting) => selecting.preventDefault(), { signal })
      document.addEventListener(
        'pointerup',
        () => {
          if (isDrawn && held.end !== undefined) end(held.end - 1)
          else if (!isDrawn && !isAdding) clear()
          stop?.()
        },
        { signal },
      )
      document.addEventListener('pointercancel', () => stop?.(), { signal })
      tick = requestAnimationFrame(follow)
    }

    function placeOf(clientX: number, clientY: number): [x: number, y: number] {
      const corner = body.current?.getBoundingClientRect()
      return [clientX - (corner?.left ?? 0), clientY - (corner?.top ?? 0)]
    }

    document.addEventListener('pointerdown', begin)
    return () => {
      document.removeEventListener('pointerdown', begin)
      stop?.()
    }
  }, [body])
}

/** How far to scroll in a frame, with the mouse at a height of the window: faster the nearer it is to the edge. */
function scrollSpeed(y: number): number {
  const [above, below] = [EDGE + 68 - y, y - (window.innerHeight - EDGE)]
  if (above > 0) return -Math.min(FASTEST, Math.ceil(above / 2))
  if (below > 0) return Math.min(FASTEST, Math.ceil(below / 2))
  return 0
}
