import { Checkbox } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import {
  type ChangeEvent,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import styles from './RobotCheck.module.css'
import { type Gesture, isHuman, withMovement } from './robot-check.ts'

interface RobotCheckProps {
  readonly isPassed: boolean
  readonly onChange: (isPassed: boolean) => void
}

/** The 'I am not a robot' checkbox, with a honeypot field that only robots see and fill in. */
export function RobotCheck({ isPassed, onChange }: RobotCheckProps) {
  const { props, gestureAt } = useGesture()
  const [honeypot, setHoneypot] = useState('')
  const [hasFailed, setHasFailed] = useState(false)

  function check({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    const gesture = gestureAt(nativeEvent.timeStamp)
    const isTicked = target.checked && isHuman({ gesture, isTrusted: nativeEvent.isTrusted, honeypot })
    setHasFailed(target.checked && !isTicked)
    onChange(isTicked)
  }

  return (
    <div className={styles.check} {...props}>
      <Checkbox
        className={styles.box}
        label="I am not a robot"
        checked={isPassed}
        onChange={check}
        error={hasFailed && 'Pause on the box for a moment, then try again.'}
      />
      <span className={styles.plate} aria-hidden>
        <IconShieldCheck size={20} stroke={1.75} />
      </span>
      <div className={styles.honeypot} aria-hidden>
        <label>
          Website
          <input
            type="text"
            name="website"
            tabIndex={-1}
            autoComplete="off"
            value={honeypot}
            onChange={(event) => {
              setHoneypot(event.currentTarget.value)
              onChange(false)
            }}
          />
        </label>
      </div>
    </div>
  )
}

/**
 * Records how a control is reached: the mouse's movements over the whole page, its hover over the control, and the press
 * of a finger, pen or key. Spread `props` on the control's outermost element; `gestureAt` returns the recorded gesture.
 */
function useGesture() {
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
    // A press on the label, beside the box itself, would take the focus away.
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

  /** Returns the gesture that ended in a click at the given time. */
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
