import { Skeleton, VisuallyHidden } from '@mantine/core'
import styles from './SharedFile.module.css'

/** The shape of a shared file, until it is known what it is. */
export function ShareSkeleton() {
  return (
    <div className={styles.page}>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      <Skeleton className={styles.preview} height="auto" radius={0} />
      <div className={styles.side}>
        <Skeleton height={22} width={120} mb={16} />
        <Skeleton height={30} width="80%" mb={8} />
        <Skeleton height={20} width="50%" mb={28} />
        <Skeleton height={50} />
      </div>
    </div>
  )
}
