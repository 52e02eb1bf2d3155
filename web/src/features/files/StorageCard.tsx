import { UnstyledButton } from '@mantine/core'
import { useEffect, useId, useState } from 'react'
import { describeStorage } from '../../api/account-texts.ts'
import { lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import { notifyError } from '../../ui/toasts/notify.tsx'
import { useStorage } from './queries.ts'
import styles from './StorageCard.module.css'

const offers = lazyModule(() => import('../../items/SpaceOffers.tsx'))

interface OffersProps {
  readonly isFull: boolean
  readonly versionBytes: number
}

/** What helps against a full storage, or else the part that earlier versions take. */
function Offers({ isFull, versionBytes }: OffersProps) {
  const part = useLazyModule(offers, true)
  if (!part) return null
  return isFull ? <part.SpaceOffers /> : <part.EarlierVersions bytes={versionBytes} />
}

interface StorageCardProps {
  /** `line`: on one line across the page. `strip`: a bar and one line of text, on a phone. */
  readonly look?: 'card' | 'line' | 'strip'
}

/** Shows how much of the storage is used. Until that is known, shows 0 of the free plan. */
export function StorageCard({ look = 'card' }: StorageCardProps) {
  const headingId = useId()
  const { data, isError } = useStorage()
  const { percent, usage, text, barWidth, versionBytes, versionWidth, level } = describeStorage(data)

  useEffect(() => {
    if (isError) notifyError('Failed to fetch storage info.')
  }, [isError])

  return (
    <section
      className={styles.card}
      data-look={look}
      data-versions={versionBytes > 0 || undefined}
      aria-labelledby={headingId}
    >
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
        {barWidth && (
          <div className={styles.bar} style={{ width: barWidth }}>
            {versionWidth && <div className={styles.versions} style={{ width: versionWidth }} />}
          </div>
        )}
      </div>
      <div className={styles.line}>
        <span className={styles.text}>{look === 'strip' ? `${text} · ${usage}` : text}</span>
        {(percent >= 100 || versionBytes > 0) && (
          <span className={styles.ways}>
            <Offers isFull={percent >= 100} versionBytes={versionBytes} />
          </span>
        )}
      </div>
    </section>
  )
}

const sheet = lazyModule(() => import('../../ui/dialogs/Sheet.tsx'))

/** The storage usage on a phone: one line between the header and the panel, which opens the full card. */
export function StorageStrip() {
  const [isOpen, setIsOpen] = useState(false)
  const part = useLazyModule(sheet, isOpen)
  return (
    <>
      <div className={styles.strip}>
        <StorageCard look="strip" />
        <UnstyledButton
          className={styles.button}
          aria-label="Your Storage Usage"
          aria-haspopup="dialog"
          onClick={() => setIsOpen(true)}
        />
      </div>
      {part && (
        <part.Sheet label="Your Storage Usage" isOpen={isOpen} onClose={() => setIsOpen(false)}>
          <StorageCard />
        </part.Sheet>
      )}
    </>
  )
}
