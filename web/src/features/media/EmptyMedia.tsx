import type { ComponentType, ReactNode } from 'react'
import styles from './EmptyMedia.module.css'

interface EmptyMediaProps {
  readonly Art: ComponentType<{ readonly className?: string }>
  readonly title: string
  readonly hint: string
  readonly action: ReactNode
}

/** Stands where music or videos would be. */
export function EmptyMedia({ Art, title, hint, action }: EmptyMediaProps) {
  return (
    <div className={styles.empty}>
      <Art className={styles.art} />
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.hint}>{hint}</p>
      {action}
    </div>
  )
}
