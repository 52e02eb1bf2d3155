import { createContext, type ReactNode, useContext, useId } from 'react'
import styles from './Card.module.css'

/** The level of cards' headings: 3 where sections with headings of their own group the cards. */
export const CardHeadingLevel = createContext<2 | 3>(2)

interface CardProps {
  readonly title: string
  /** Marks what cannot be undone. */
  readonly tone?: 'danger'
  readonly children: ReactNode
}

/** A titled box of a screen that is made of several. */
export function Card({ title, tone, children }: CardProps) {
  const id = useId()
  const Heading = `h${useContext(CardHeadingLevel)}` as const
  return (
    <section className={styles.card} data-tone={tone} aria-labelledby={id}>
      <Heading className={styles.title} id={id}>
        {title}
      </Heading>
      {children}
    </section>
  )
}
