import styles from './TestPaymentsMark.module.css'

/** Says that payments are in test mode. */
export function TestPaymentsMark() {
  return (
    <p className={styles.line}>
      <strong className={styles.mark}>Test payments</strong> No real card is charged.
    </p>
  )
}
