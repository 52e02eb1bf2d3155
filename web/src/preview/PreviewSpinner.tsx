import { Loader, VisuallyHidden } from '@mantine/core'
import { useDelayed } from '../lib/use-delayed.ts'
import styles from './PreviewSpinner.module.css'

interface PreviewSpinnerProps {
  /** How much has come, between 0 and 1, where that is known. */
  readonly share?: number
}

/** Shows that a file is on its way, once that takes long enough to be noticed. */
export function PreviewSpinner({ share }: PreviewSpinnerProps) {
  const isShown = useDelayed(true, 200)
  if (!isShown) return <div className={styles.place} />
  return (
    <div className={styles.place}>
      <div className={styles.plate}>
        <Loader size={28} color="var(--alcove-lamp)" />
        <VisuallyHidden role="status">Loading...</VisuallyHidden>
        {share !== undefined && <span className={styles.share}>{Math.round(share * 100)}%</span>}
      </div>
    </div>
  )
}
