import { IconLink } from '@tabler/icons-react'
import styles from './SharedByChip.module.css'

interface SharedByChipProps {
  /** The owner's display name, where they have set one. */
  readonly sharedBy: string | undefined
}

/** Says that the page was shared, and by whom if the owner has a display name. */
export function SharedByChip({ sharedBy }: SharedByChipProps) {
  return (
    <p className={styles.chip}>
      <IconLink size={14} stroke={1.75} aria-hidden />
      <span className={styles.text}>
        {sharedBy ? (
          <>
            Shared by <bdi dir="auto">{sharedBy}</bdi>
          </>
        ) : (
          'Shared with you'
        )}
      </span>
    </p>
  )
}
