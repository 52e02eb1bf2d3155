import { type FocusEvent, type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import { type Gesture, withMovement } from './robot-check.ts'

/**
 * Watches how a control is reached: the mouse's movements over the whole page, its hover over the control, and the
 * press of a finger, pen or key. `props` belong on the control's outermost element, `gestureAt` tells what was seen.
 */
export function useGesture() {
  const movements = useRef<readonly number[]>([])
  const hoveredAt = useRef<number>(undefined)
  const focusedAt = useRef<number>(undefined)
  const press = useRef<{ by: Gesture['by']; at: number }>(undefined)

  useEffect(() => {
    let last: { x: number; y: number } | undefined
    const remember = ({ clientX: x, clientY: y }: globalThis.MouseEvent) => {
      if (last) movements.current = withMovement(movements.current, Math.hypot(x - last.x, y - last.y))
      last = { x, y }
    }
    window.addEventListener('mousemove', remember, { passive: true })
    return () => window.removeEventListener('mousemove', remember)
  }, [])

  const props = {
    // A press beside the box itself, on its label, would take the focus away.
    onMouseDown: (event: MouseEvent<HTMLElement>) => {
      if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
    },
    onPointerEnter: ({ pointerType, timeStamp }: PointerEvent) => {
      if (pointerType === 'mouse') hoveredAt.current = timeStamp
    },
    onPointerLeave: () => {
      hoveredAt.current = undefined
    },
    onPointerDown: ({ pointerType, timeStamp }: PointerEvent) => {
      press.current = { by: pointerType === 'mouse' ? 'mouse' : 'press', at: timeStamp }
    },
    onKeyDown: ({ repeat, timeStamp }: KeyboardEvent) => {
      if (!repeat) press.current = { by: 'press', at: timeStamp }
    },
    onFocus: ({ timeStamp }: FocusEvent) => {
      focusedAt.current = timeStamp
    },
    onBlur: () => {
      focusedAt.current = undefined
    },
  }

  /** The gesture that ends in a click at the given time. */
  function gestureAt(time: number): Gesture {
    const pressed = press.current
    press.current = undefined
    if (pressed?.by === 'mouse') {
      return { by: 'mouse', movements: movements.current, hover: time - (hoveredAt.current ?? time) }
    }
    return { by: 'press', hold: time - Math.min(pressed?.at ?? time, focusedAt.current ?? time) }
  }

  return { props, gestureAt }
}
