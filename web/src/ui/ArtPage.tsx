import type { ReactNode } from 'react'
import { useIsHydrated } from '../lib/use-is-hydrated.ts'
import styles from './ArtPage.module.css'

interface ArtPageProps {
  readonly title: string
  readonly lead?: ReactNode
  /** The picture beside the content, on wide screens. */
  readonly art: ReactNode
  readonly children: ReactNode
}

/** The layout of a page with a single short task and a picture. */
export function ArtPage({ title, lead, art, children }: ArtPageProps) {
  const isHydrated = useIsHydrated()
  return (
    <div className={styles.page}>
      <div className={styles.task}>
        <h1 className={styles.title}>{title}</h1>
        {lead && <p className={styles.lead}>{lead}</p>}
        {/* A form is hidden until it is hydrated, but takes its space. */}
        <div className={styles.content} data-waiting={!isHydrated || undefined}>
          {children}
        </div>
      </div>
      <div className={styles.art}>{art}</div>
    </div>
  )
}
