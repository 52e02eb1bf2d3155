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
  readonly text: string
  /** What can be done about it. */
  readonly action?: ReactNode
}

/** A sentence in a tinted box, within the page; readers hear it as it appears. */
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
