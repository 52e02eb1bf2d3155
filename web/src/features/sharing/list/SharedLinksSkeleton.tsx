import { Skeleton, VisuallyHidden } from '@mantine/core'
import styles from './SharedLinksList.module.css'

const ROWS = ['first', 'second', 'third', 'fourth']

export function SharedLinksSkeleton() {
  return (
    <div className={styles.skeleton}>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      {ROWS.map((row) => (
        <Skeleton key={row} height={58} radius={12} />
      ))}
    </div>
  )
}
