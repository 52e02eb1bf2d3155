import type { ReactNode, Ref } from 'react'
import styles from './EmptyState.module.css'

interface EmptyStateProps {
  /** A picture of a niche. */
  readonly art: ReactNode
  readonly title: string
  readonly hint?: ReactNode
  /** At most one button. */
  readonly action?: ReactNode
  readonly titleRef?: Ref<HTMLHeadingElement>
  readonly className?: string | undefined
}

/** Shown in place of an empty list: a picture, a title, and a hint how to fill it. */
export function EmptyState({ art, title, hint, action, titleRef, className = '' }: EmptyStateProps) {
  return (
    <div className={`${styles.empty} ${className}`}>
      <div className={styles.art}>{art}</div>
      <h2 ref={titleRef} className={styles.title} tabIndex={titleRef ? -1 : undefined}>
        {title}
      </h2>
      {hint && <p className={styles.hint}>{hint}</p>}
      {action}
    </div>
  )
}
