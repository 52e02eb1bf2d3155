import type { File } from '@alcove/contract/items'
import { IconKey, IconLock, IconLockOpen, IconX } from '@tabler/icons-react'
import type { TileParts } from '../../items/tiles/tile-handlers.ts'
import { lazyModule } from '../../lib/lazy-module.ts'
import { openLater } from '../../ui/dialogs/dialogs.tsx'
import { FileTypeSheet } from '../../ui/FileTypeSheet.tsx'
import { FileTypeSquare } from '../../ui/FileTypeSquare.tsx'
import { isVaultPicture, useDecryptedPicture } from './decrypted-pictures.ts'
import { useDecryption } from './opened-files.ts'
import { knownPassphrase } from './passphrase/check-passphrase.ts'
import { useOtherPassphrase } from './passphrase/other-passphrase.ts'
import { downloadAndDecrypt } from './vault-actions.ts'
import styles from './vault-tile.module.css'

/** The parts of a tile that differ in the vault. */
export const vaultTileParts: TileParts = {
  Picture: VaultPicture,
  showsType: (file) => !isVaultPicture(file),
  footLabel: 'Download & Decrypt',
  Foot: DecryptFoot,
}

const reencryptModal = lazyModule(() => import('./ReencryptModal.tsx'))

function openReencryption(file: File): void {
  const passphrase = knownPassphrase.get()
  void openLater(reencryptModal, ({ openReencryptModal }) => openReencryptModal(file, passphrase))
}

interface DecryptFootProps {
  readonly file: File
  /** Whether the buttons can be reached by Tab: only those of the active tile can. */
  readonly isActive: boolean
  /** Shows icons only, for a row of the list. */
  readonly isSmall?: boolean
}

/** The button that downloads and decrypts a file; during that, the progress. */
function DecryptFoot({ file, isActive, isSmall = false }: DecryptFootProps) {
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
          onClick={() => openReencryption(file)}
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

interface VaultPictureProps {
  readonly file: File
  readonly isSmall?: boolean
}

/** The picture of a file, once it has been decrypted in this session, or a placeholder. */
function VaultPicture({ file, isSmall = false }: VaultPictureProps) {
  const address = useDecryptedPicture(file)
  if (address) return <img className={styles.picture} src={address} alt="" draggable={false} />
  if (isSmall) return <FileTypeSquare filename={file.name} />
  if (isVaultPicture(file)) {
    return (
      <span className={styles.veil}>
        <Lock size={26} />
      </span>
    )
  }
  return (
    <span className={styles.sheet}>
      <span className={styles.paper}>
        <FileTypeSheet filename={file.name} size={54} />
        <Lock size={18} />
      </span>
    </span>
  )
}

function Lock({ size }: { readonly size: number }) {
  return (
    <span className={styles.lock}>
      <IconLock size={size} stroke={1.75} aria-hidden />
    </span>
  )
}
