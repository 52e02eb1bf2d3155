import type { CheckState } from '@alcove/contract/admin-checks'
import { VisuallyHidden } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleMinus,
  IconCircleX,
  IconClock,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './StateList.module.css'

type State = CheckState | 'running'

const states: Readonly<Record<State, { readonly Icon: TablerIcon; readonly label: string }>> = {
  ok: { Icon: IconCircleCheck, label: 'Fine' },
  warning: { Icon: IconAlertTriangle, label: 'Warning' },
  failed: { Icon: IconCircleX, label: 'Problem' },
  skipped: { Icon: IconCircleMinus, label: 'Not checked' },
  running: { Icon: IconClock, label: 'Running' },
}

interface StateListProps {
  readonly label: string
  readonly children: ReactNode
}

/** A list of rows, each with a sign for its state. */
export function StateList({ label, children }: StateListProps) {
  return (
    <ul className={styles.list} aria-label={label}>
      {children}
    </ul>
  )
}

interface StateRowProps {
  readonly state: State
  readonly title: string
  readonly message: string
  /** What to do about it. */
  readonly fix?: string | null
  readonly action?: ReactNode
}

export function StateRow({ state, title, message, fix = null, action }: StateRowProps) {
  const { Icon, label } = states[state]
  return (
    <li className={styles.row} data-state={state}>
      <span className={styles.sign}>
        <Icon size={22} stroke={1.75} aria-hidden />
        <VisuallyHidden>{label}</VisuallyHidden>
      </span>
      <div className={styles.body}>
        <h3 className={styles.title}>{title}</h3>
        <p className={styles.message}>{message}</p>
        {fix !== null && <p className={styles.fix}>{fix}</p>}
      </div>
      {action}
    </li>
  )
}
