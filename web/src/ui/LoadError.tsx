import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
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
      <Button variant="default" size="xs" loading={isBusy} onClick={onRetry}>
        Retry
      </Button>
    </div>
  )
}
