import { useEffect, useId } from 'react'
import { describeStorage } from '../../api/describe-storage.ts'
import { lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import { notifyError } from '../../ui/toasts/notify.tsx'
import { useStorage } from './queries.ts'
import styles from './StorageCard.module.css'

const offers = lazyModule(() => import('../../ui/SpaceOffers.tsx'))

function Offers() {
  const part = useLazyModule(offers, true)
  return part ? <part.SpaceOffers /> : null
}

interface StorageCardProps {
  /** `line`: on one line across the page. `strip`: a bar and one line of text, on a phone. */
  readonly look?: 'card' | 'line' | 'strip'
}

/** How much of the storage is used. Until that is known: nothing of what everyone has. */
export function StorageCard({ look = 'card' }: StorageCardProps) {
  const headingId = useId()
  const { data, isError } = useStorage()
  const { percent, usage, text, barWidth, level } = describeStorage(data)

  useEffect(() => {
    if (isError) notifyError('Failed to fetch storage info.')
  }, [isError])

  return (
    <section className={styles.card} data-look={look} aria-labelledby={headingId}>
      <div className={styles.line}>
        <h2 className={styles.heading} id={headingId}>
          Your Storage Usage
        </h2>
        <strong className={styles.percent}>{usage}</strong>
      </div>
      <div
        className={styles.track}
        role="progressbar"
        aria-labelledby={headingId}
        aria-valuenow={Math.round(percent)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={`${usage}, ${text}`}
        data-level={level}
      >
        {barWidth && <div className={styles.bar} style={{ width: barWidth }} />}
      </div>
      <div className={styles.line}>
        <span className={styles.text}>{look === 'strip' ? `${text} · ${usage}` : text}</span>
        {percent >= 100 && (
          <span className={styles.ways}>
            <Offers />
          </span>
        )}
      </div>
    </section>
  )
}
