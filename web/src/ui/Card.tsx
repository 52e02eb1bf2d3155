import type { ReactNode } from 'react'
import styles from './Card.module.css'

interface CardProps {
  readonly title: string
  readonly children: ReactNode
}

/** A titled box of a screen that is made of several. */
export function Card({ title, children }: CardProps) {
  return (
    <section className={styles.card}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </section>
  )
}
