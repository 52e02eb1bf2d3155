import { createContext, type ReactNode, useContext, useId } from 'react'
import styles from './Card.module.css'

/** The heading level of cards: 3 if they are grouped in sections that have headings. */
export const CardHeadingLevel = createContext<2 | 3>(2)

interface CardProps {
  readonly title: string
  /** Marks actions that can't be undone. */
  readonly tone?: 'danger'
  readonly children: ReactNode
}

/** A titled section of a page. */
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
