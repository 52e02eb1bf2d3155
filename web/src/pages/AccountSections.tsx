import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CardHeadingLevel } from '../ui/Card.tsx'
import styles from './AccountSections.module.css'

const sections = [
  ['account', 'Account'],
  ['billing', 'Plan and billing'],
  ['security', 'Security'],
  ['data', 'Your data'],
] as const

/** The account's sections one below the other, and on wide screens links to them. */
export function AccountSections({ children }: { readonly children: ReactNode }) {
  return (
    <CardHeadingLevel.Provider value={3}>
      <nav className={styles.navigation} aria-label="Sections of this page">
        <ul className={styles.links}>
          {sections.map(([id, title]) => (
            <li key={id}>
              <Link className={styles.link} to={`#${id}`} replace onClick={() => focusSection(id)}>
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </CardHeadingLevel.Provider>
  )
}

/** The keyboard goes where the link leads. The router does the scrolling. */
function focusSection(id: string): void {
  document.getElementById(id)?.focus({ preventScroll: true })
}

interface AccountSectionProps {
  readonly id: (typeof sections)[number][0]
  readonly title: string
  /** Cards, in two columns on wide screens. */
  readonly children: ReactNode
}

export function AccountSection({ id, title, children }: AccountSectionProps) {
  return (
    <div className={styles.section}>
      <h2 className={styles.title} id={id} tabIndex={-1}>
        {title}
      </h2>
      <div className={styles.cards}>{children}</div>
    </div>
  )
}
