import type { ReactNode } from 'react'
import styles from './LegalText.module.css'

interface LegalTextProps {
  readonly title: string
  readonly effective: string
  readonly lead: ReactNode
  readonly children: ReactNode
}

/** The layout of a legal text: one column, plain headings. */
export function LegalText({ title, effective, lead, children }: LegalTextProps) {
  return (
    <article className={styles.text}>
      <h1>{title}</h1>
      <p className={styles.effective}>Effective {effective}</p>
      <p className={styles.lead}>{lead}</p>
      {children}
    </article>
  )
}

interface LegalSectionProps {
  readonly title: string
  readonly children: ReactNode
}

export function LegalSection({ title, children }: LegalSectionProps) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
