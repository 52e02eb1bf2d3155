import { type RefObject, useEffect, useEffectEvent } from 'react'
import { type ItemList, itemsBetween } from '../lists/item-lists.ts'
import type { Selection } from '../selection.ts'
import type { SelectionControl } from '../use-selection.ts'
import { type Box, type Layout, rangesIn } from './layout.ts'

interface Marquee {
  /** The element whose corner is the origin of the layout. */
  readonly body: RefObject<HTMLElement | null>
  /** The element that shows the frame. */
  readonly frame: RefObject<HTMLElement | null>
  readonly list: ItemList
  readonly layout: Layout
  readonly selection: SelectionControl
  /** Called with the index of the last item in the frame when the button is released. */
  readonly onEnd: (index: number) => void
}

/** A shorter movement is a click, in pixels. */
const SLACK = 4
/** How near to an edge of the window the page scrolls, and how far at most in each animation frame, in pixels. */
const EDGE = 56
const FASTEST = 28

/**
 * Selects items by drawing a frame around them, from any empty place of the panel. The layout tells which items are in
 * the frame, so items out of view count too. A click on an empty place clears the selection.
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

  /** Selects the items in the frame, unless they are the same as before. */
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

      /** Runs in each animation frame while the button is held, because the page may scroll below a still mouse. */
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

/** Returns how far to scroll in an animation frame: the further, the nearer the mouse is to an edge of the window. */
function scrollSpeed(y: number): number {
  const [above, below] = [EDGE + 68 - y, y - (window.innerHeight - EDGE)]
  if (above > 0) return -Math.min(FASTEST, Math.ceil(above / 2))
  if (below > 0) return Math.min(FASTEST, Math.ceil(below / 2))
  return 0
}
