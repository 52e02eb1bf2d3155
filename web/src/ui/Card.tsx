import { type ReactNode, useId } from 'react'
import styles from './Card.module.css'

interface CardProps {
  readonly title: string
  /** Marks what cannot be undone. */
  readonly tone?: 'danger'
  readonly children: ReactNode
}

/** A titled box of a screen that is made of several. */
export function Card({ title, tone, children }: CardProps) {
  const id = useId()
  return (
    <section className={styles.card} data-tone={tone} aria-labelledby={id}>
      <h2 className={styles.title} id={id}>
        {title}
      </h2>
      {children}
    </section>
  )
}
