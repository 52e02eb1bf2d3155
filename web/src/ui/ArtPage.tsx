import type { ReactNode } from 'react'
import styles from './ArtPage.module.css'

interface ArtPageProps {
  readonly title: string
  readonly lead?: ReactNode
  /** The niche beside the content, on wide screens. */
  readonly art: ReactNode
  readonly children: ReactNode
}

/** A screen with one short task and a picture. */
export function ArtPage({ title, lead, art, children }: ArtPageProps) {
  return (
    <div className={styles.page}>
      <div className={styles.task}>
        <h1 className={styles.title}>{title}</h1>
        {lead && <p className={styles.lead}>{lead}</p>}
        <div className={styles.content}>{children}</div>
      </div>
      <div className={styles.art}>{art}</div>
    </div>
  )
}
