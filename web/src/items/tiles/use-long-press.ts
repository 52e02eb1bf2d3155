import { type PointerEvent, useEffect, useRef } from 'react'

const LONG = 450
/** A finger that has gone further than this scrolls. */
const SLACK = 10

/** Tells when a finger rests on an element, and what kind of pointer was last on it. */
export function useLongPress(onLongPress: () => void) {
  const state = useRef({ type: 'mouse', x: 0, y: 0, isLong: false })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stop = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    isTouch: () => state.current.type === 'touch',
    /** The press that has just ended was a long one: what it does, it has done. */
    wasLong: () => state.current.isLong,
    onPointerDown({ pointerType, clientX, clientY, target, currentTarget }: PointerEvent<HTMLElement>) {
      state.current = { type: pointerType, x: clientX, y: clientY, isLong: false }
      stop()
      // A finger that rests selects. Dragging belongs to the mouse: with a finger there is Move.
      currentTarget.draggable = pointerType !== 'touch'
      if (pointerType !== 'touch' || (target instanceof Element && target.closest('button, input, label'))) return
      timer.current = setTimeout(() => {
        state.current.isLong = true
        onLongPress()
      }, LONG)
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const { x, y } = state.current
      if (Math.hypot(clientX - x, clientY - y) > SLACK) stop()
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  }
}
