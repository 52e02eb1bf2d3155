import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { Point } from './zoom.ts'

interface Gestures {
  readonly isZoomed: boolean
  readonly zoomBy: (factor: number, point: Point) => void
  readonly panBy: (by: Point) => void
  readonly toggle: (point: Point) => void
}

/** Two taps within this time and distance are a double tap. */
const DOUBLE_TAP = { milliseconds: 300, pixels: 30 }
const TAP_SLACK = 8

/**
 * Handles wheel, drag, pinch, double click and double tap on a picture. Points are relative to the center of the box.
 */
export function useGestures(box: RefObject<HTMLElement | null>, gestures: Gestures, hasWheel: boolean) {
  const pointers = useRef(new Map<number, Point>())
  const lastTap = useRef({ time: 0, x: 0, y: 0 })
  const travelled = useRef(0)
  const pointerType = useRef('mouse')

  function fromMiddle(x: number, y: number): Point {
    const area = box.current?.getBoundingClientRect()
    return area ? { x: x - area.left - area.width / 2, y: y - area.top - area.height / 2 } : { x: 0, y: 0 }
  }

  const turnWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1
    // A pinch on a touch pad is reported as a wheel event with the control key, in small steps.
    const speed = event.ctrlKey ? 0.01 : 0.0015
    gestures.zoomBy(Math.exp(-event.deltaY * lines * speed), fromMiddle(event.clientX, event.clientY))
  })
  useEffect(() => {
    const element = box.current
    if (!element || !hasWheel) return
    // React's listeners are passive and can't prevent scrolling.
    const onWheel = (event: WheelEvent) => turnWheel(event)
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [box, hasWheel])

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    pointerType.current = event.pointerType
    if (event.button !== 0) return
    if (pointers.current.size === 0) travelled.current = 0
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    if (gestures.isZoomed || pointers.current.size > 1) event.currentTarget.setPointerCapture(event.pointerId)
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const before = pointers.current.get(event.pointerId)
    if (!before) return
    const now = { x: event.clientX, y: event.clientY }
    travelled.current += Math.hypot(now.x - before.x, now.y - before.y)
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
    pointers.current.set(event.pointerId, now)
    if (other) {
      const distance = Math.hypot(before.x - other.x, before.y - other.y) || 1
      const middle = fromMiddle((now.x + other.x) / 2, (now.y + other.y) / 2)
      gestures.zoomBy(Math.hypot(now.x - other.x, now.y - other.y) / distance, middle)
      gestures.panBy({ x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 })
    } else if (gestures.isZoomed) {
      gestures.panBy({ x: now.x - before.x, y: now.y - before.y })
    }
  }

  function onPointerUp(event: PointerEvent<HTMLElement>) {
    const wasAlone = pointers.current.delete(event.pointerId) && pointers.current.size === 0
    if (event.pointerType !== 'touch' || !wasAlone || travelled.current > TAP_SLACK) return
    const tap = { time: event.timeStamp, x: event.clientX, y: event.clientY }
    const { time, x, y } = lastTap.current
    const isDouble = tap.time - time < DOUBLE_TAP.milliseconds && Math.hypot(tap.x - x, tap.y - y) < DOUBLE_TAP.pixels
    lastTap.current = isDouble ? { time: 0, x: 0, y: 0 } : tap
    if (isDouble) gestures.toggle(fromMiddle(tap.x, tap.y))
  }

  return {
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerCancel: (event: PointerEvent) => void pointers.current.delete(event.pointerId),
    onDoubleClick: (event: MouseEvent) => {
      // Two taps may also cause a double click, but have been handled as a double tap.
      if (pointerType.current !== 'touch') gestures.toggle(fromMiddle(event.clientX, event.clientY))
    },
  }
}
