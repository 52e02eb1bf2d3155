import { Checkbox } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { type ChangeEvent, useState } from 'react'
import styles from './RobotCheck.module.css'
import { isHuman } from './robot-check.ts'
import { useGesture } from './use-gesture.ts'

interface RobotCheckProps {
  readonly isPassed: boolean
  readonly onChange: (isPassed: boolean) => void
}

/** 'I am not a robot', together with a field that only a robot sees and fills in. */
export function RobotCheck({ isPassed, onChange }: RobotCheckProps) {
  const { props, gestureAt } = useGesture()
  const [honeypot, setHoneypot] = useState('')
  const [hasFailed, setHasFailed] = useState(false)

  function judge({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
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
        onChange={judge}
        error={hasFailed && 'Rest on the box for a moment, then try again.'}
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
