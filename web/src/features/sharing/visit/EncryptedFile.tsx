import { PadlockNiche } from '../../../ui/art/niches.tsx'
import styles from './EncryptedFile.module.css'

/** Stands for a file of the vault, whose bytes only its passphrase opens. */
export function EncryptedFile() {
  return (
    <div className={styles.box}>
      <PadlockNiche className={styles.art} />
      <p className={styles.title}>This file is encrypted</p>
      <p className={styles.text}>
        It can be downloaded as it is. To read it, you need the passphrase it was encrypted with.
      </p>
    </div>
  )
}
