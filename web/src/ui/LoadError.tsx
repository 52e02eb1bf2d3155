import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { BusyButton } from './BusyButton.tsx'
import styles from './LoadError.module.css'

interface LoadErrorProps {
  readonly text: string
  readonly isBusy: boolean
  readonly onRetry: () => void
  /** Another button beside Retry. */
  readonly action?: ReactNode
}

/** Shown in place of content that could not be loaded. */
export function LoadError({ text, isBusy, onRetry, action }: LoadErrorProps) {
  return (
    <div className={styles.error} role="alert">
      <IconAlertTriangle size={20} stroke={1.75} aria-hidden />
      <span className={styles.text}>{text}</span>
      {action}
      <BusyButton variant="default" size="xs" loading={isBusy} onClick={onRetry}>
        Retry
      </BusyButton>
    </div>
  )
}
