import { DEFAULT_ALLOCATION } from '@alcove/contract/limits'
import { useEffect, useId } from 'react'
import { formatStorage, formatUsage, usageOf } from '../../lib/format.ts'
import { later, useLater } from '../../lib/later.ts'
import { notifyError } from '../../ui/notify.tsx'
import { useStorage } from './queries.ts'
import styles from './StorageCard.module.css'

/** Above this share of the storage the bar warns, in percent. */
const NEARLY_FULL = 90

const offers = later(() => import('../../ui/RoomOffers.tsx'))

function Offers() {
  const part = useLater(offers, true)
  return part ? <part.RoomOffers /> : null
}

interface StorageCardProps {
  /** `line`: on one line across the page. `strip`: a bar and one line of text, on a phone. */
  readonly look?: 'card' | 'line' | 'strip'
}

/** How much of the storage is used. Until that is known: nothing of what everyone has. */
export function StorageCard({ look = 'card' }: StorageCardProps) {
  const headingId = useId()
  const { data, isError } = useStorage()
  const used = data?.used_bytes ?? 0
  const allocated = data?.allocated_bytes ?? DEFAULT_ALLOCATION
  const percent = usageOf(used, allocated)
  const text = `${formatStorage(used)} of ${formatStorage(allocated)} used`

  useEffect(() => {
    if (isError) notifyError('Failed to fetch storage info.')
  }, [isError])

  return (
    <section className={styles.card} data-look={look} aria-labelledby={headingId}>
      <div className={styles.line}>
        <h2 className={styles.heading} id={headingId}>
          Your Storage Usage
        </h2>
        <strong className={styles.percent}>{formatUsage(used, allocated)}</strong>
      </div>
      <div
        className={styles.track}
        role="progressbar"
        aria-labelledby={headingId}
        aria-valuenow={Math.round(percent)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={`${formatUsage(used, allocated)}, ${text}`}
        data-level={percent >= 100 ? 'full' : percent > NEARLY_FULL ? 'high' : undefined}
      >
        {used > 0 && <div className={styles.bar} style={{ width: `max(9px, ${percent}%)` }} />}
      </div>
      <div className={styles.line}>
        <span className={styles.text}>
          {text}
          {look === 'strip' && ` · ${formatUsage(used, allocated)}`}
        </span>
        {percent >= 100 && (
          <span className={styles.ways}>
            <Offers />
          </span>
        )}
      </div>
    </section>
  )
}
