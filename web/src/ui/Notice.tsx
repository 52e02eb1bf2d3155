import { IconAlertTriangle, IconCircleCheckFilled, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './Notice.module.css'

const icons = {
  error: <IconAlertTriangle size={20} stroke={1.75} />,
  success: <IconCircleCheckFilled size={20} />,
  warning: <IconAlertTriangle size={20} stroke={1.75} />,
  info: <IconInfoCircle size={20} stroke={1.75} />,
}

interface NoticeProps {
  readonly tone: keyof typeof icons
  readonly text: ReactNode
  /** A button for what the user can do. */
  readonly action?: ReactNode
}

/** A message within the page. Screen readers announce it when it appears. */
export function Notice({ tone, text, action }: NoticeProps) {
  return (
    <div className={styles.notice} data-tone={tone}>
      <span className={styles.icon} aria-hidden>
        {icons[tone]}
      </span>
      <div className={styles.body}>
        <p className={styles.text} role={tone === 'error' ? 'alert' : 'status'} key={tone}>
          {text}
        </p>
        {action}
      </div>
    </div>
  )
}
