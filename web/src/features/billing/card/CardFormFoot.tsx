import { IconLock } from '@tabler/icons-react'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import styles from './CardForm.module.css'

interface CardFormFootProps {
  readonly isBusy: boolean
  readonly isReady?: boolean
  readonly failure: string | undefined
}

/** The end of both card forms: the error, the button, and who handles the card number. */
export function CardFormFoot({ isBusy, isReady = true, failure }: CardFormFootProps) {
  return (
    <>
      {failure && (
        <div className={styles.failure}>
          <Notice tone="error" text={failure} />
        </div>
      )}
      <div className={styles.foot}>
        <BusyButton type="submit" loading={isBusy} disabled={!isReady}>
          Update Card
        </BusyButton>
        <span className={styles.promise}>
          <IconLock size={16} stroke={1.75} aria-hidden />
          Handled by the card provider. We never see your card number.
        </span>
      </div>
    </>
  )
}
