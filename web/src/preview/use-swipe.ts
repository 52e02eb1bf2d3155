import { type PointerEvent, useRef } from 'react'

/** So far a finger has to go, and so much more sideways than up or down. */
const DISTANCE = 56
const STRAIGHTNESS = 1.4
/** From here on it is a swipe and what is swiped follows. */
const SLACK = 10

/** A swipe of one finger over an element: `1` to the left, towards what is next, `-1` to the right. */
export function useSwipe(onSwipe: (by: 1 | -1) => void) {
  const start = useRef<{ id: number; x: number; y: number }>(undefined)

  function follow({ style }: HTMLElement, x: number) {
    style.translate = x === 0 ? '' : `${x}px`
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    const { currentTarget, target } = event
    const isFirst = event.isPrimary && event.pointerType === 'touch'
    const isTaken = target instanceof Element && target.closest('[data-pans], input, audio, video') !== null
    start.current = isFirst && !isTaken ? { id: event.pointerId, x: event.clientX, y: event.clientY } : undefined
    if (!start.current) follow(currentTarget, 0)
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    if (event.pointerId !== start.current?.id) return
    const x = event.clientX - start.current.x
    if (Math.abs(x) > SLACK) follow(event.currentTarget, x * 0.6)
  }

  function end(event: PointerEvent<HTMLElement>) {
    if (event.pointerId !== start.current?.id) return
    const x = event.clientX - start.current.x
    const y = event.clientY - start.current.y
    start.current = undefined
    follow(event.currentTarget, 0)
    const isSwipe = Math.abs(x) > DISTANCE && Math.abs(x) > Math.abs(y) * STRAIGHTNESS
    if (event.type === 'pointerup' && isSwipe) onSwipe(x < 0 ? 1 : -1)
  }

  return { onPointerDown, onPointerMove, onPointerUp: end, onPointerCancel: end }
}
