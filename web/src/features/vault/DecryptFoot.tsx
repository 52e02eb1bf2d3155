import type { File } from '@alcove/contract/items'
import { IconKey, IconLockOpen, IconX } from '@tabler/icons-react'
import { lazyModule } from '../../lib/lazy-module.ts'
import { openLater } from '../../ui/dialogs/dialogs.tsx'
import styles from './DecryptFoot.module.css'
import { useDecryption } from './decryptions.ts'
import { downloadAndDecrypt } from './download-decrypted.ts'
import { useOtherPassphrase } from './passphrase/other-passphrase.ts'

const reencrypt = lazyModule(() => import('./ReencryptModal.tsx'))

interface DecryptFootProps {
  readonly file: File
  /** Only the button of the tile that has the keyboard is in its reach. */
  readonly isActive: boolean
  /** In a row of the list: the sign alone. */
  readonly isSmall?: boolean
}

/** The button of a file of the vault; while it is being decrypted, how far it is. */
export function DecryptFoot({ file, isActive, isSmall = false }: DecryptFootProps) {
  const running = useDecryption(file.id)
  const isOther = useOtherPassphrase(file)
  const tabIndex = isActive ? 0 : -1
  if (!running) {
    const button = (
      <button
        type="button"
        className={isSmall ? styles.small : styles.button}
        aria-label={`Download & Decrypt ${file.name}`}
        tabIndex={tabIndex}
        onClick={() => void downloadAndDecrypt(file)}
      >
        <IconLockOpen size={18} stroke={1.75} aria-hidden />
        {!isSmall && <span>Download &amp; Decrypt</span>}
      </button>
    )
    if (!isOther) return button
    return (
      <div className={styles.both} data-small={isSmall || undefined}>
        <button
          type="button"
          className={styles.other}
          aria-label={`Other passphrase: ${file.name}`}
          title="Other passphrase"
          data-small={isSmall || undefined}
          tabIndex={tabIndex}
          onClick={() => void openLater(reencrypt, ({ openReencryptModal }) => openReencryptModal(file))}
        >
          <IconKey size={18} stroke={1.75} aria-hidden />
        </button>
        {button}
      </div>
    )
  }
  const percent = Math.floor(running.share * 100)
  if (isSmall) {
    return (
      <button
        type="button"
        className={styles.small}
        aria-label={`Cancel the decryption of ${file.name}, ${percent}% done`}
        tabIndex={tabIndex}
        onClick={running.cancel}
      >
        {percent}%
      </button>
    )
  }
  return (
    <div className={styles.progress}>
      <div className={styles.line}>
        <span>Decrypting in your browser</span>
        <span>{percent}%</span>
        <button
          type="button"
          className={styles.cancel}
          aria-label={`Cancel the decryption of ${file.name}`}
          tabIndex={tabIndex}
          onClick={running.cancel}
        >
          <IconX size={14} stroke={2} aria-hidden />
        </button>
      </div>
      <div
        className={styles.track}
        role="progressbar"
        aria-label={`Decrypting ${file.name}`}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div className={styles.bar} style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}
