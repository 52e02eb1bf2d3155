import type { File } from '@alcove/contract/items'
import { IconLock } from '@tabler/icons-react'
import { FileTypeSheet } from '../../ui/FileTypeSheet.tsx'
import { FileTypeSquare } from '../../ui/FileTypeSquare.tsx'
import { isVaultPicture, useDecryptedPicture } from './decrypted-pictures.ts'
import styles from './VaultPicture.module.css'

interface VaultPictureProps {
  readonly file: File
  readonly isSmall?: boolean
}

/** What a file of the vault looks like: a picture only once it was decrypted in this session, veiled before. */
export function VaultPicture({ file, isSmall = false }: VaultPictureProps) {
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
