import { Skeleton } from '@mantine/core'
import styles from './PlanCard.module.css'

/** Stands where a plan will be, with the measures of one. */
export function PlanCardSkeleton() {
  return (
    <div className={styles.card} aria-hidden>
      <div className={styles.title}>
        <Skeleton height={22} width={130} my={3} />
      </div>
      <div className={styles.description}>
        <Skeleton height={12} width="86%" my={4} />
        <Skeleton height={12} width="52%" mt={8} />
      </div>
      <div className={styles.price}>
        <Skeleton height={36} width={150} my={8} />
      </div>
      <div className={styles.features}>
        {[150, 170, 110].map((width) => (
          <Skeleton height={12} width={width} my={4} key={width} />
        ))}
      </div>
      <Skeleton className={styles.button} height={44} />
    </div>
  )
}
