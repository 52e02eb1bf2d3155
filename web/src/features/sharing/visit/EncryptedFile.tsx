import type { PublicFile } from '@alcove/contract/sharing'
import { type ReactNode, useState } from 'react'
import { InlinePreview } from '../../../preview/Preview.tsx'
import type { PreviewItem } from '../../../preview/preview-item.ts'
import { PadlockNiche } from '../../../ui/art/niches.tsx'
import styles from './EncryptedFile.module.css'
import { contentAddress, downloadAddress, type Visit } from './link-address.ts'

/** Decrypts a shared file. The page passes it in, since it belongs to the vault. */
export type Decryptor = (props: DecryptorProps) => ReactNode

export interface DecryptorProps {
  readonly file: PublicFile
  /** The address of the encrypted bytes, to preview the file. Requests to `downloadAddress` count as downloads. */
  readonly address: string
  readonly downloadAddress: string
  /** The key of the file, if the link contains one. */
  readonly linkKey?: string
  /** Called with the decrypted file. */
  /** Absent if only downloads are allowed. */
  readonly onShow?: (item: PreviewItem) => void
}

interface EncryptedFileProps {
  readonly visit: Visit
  readonly file: PublicFile
  readonly linkKey?: string
  readonly canPreview: boolean
  readonly Decryptor: Decryptor
}

/** Shows a file of the vault, which is decrypted in the visitor's browser with its key or passphrase. */
export function EncryptedFile({ visit, file, linkKey, canPreview, Decryptor }: EncryptedFileProps) {
  const [shown, setShown] = useState<PreviewItem>()
  if (shown) {
    return (
      <div className={styles.shown}>
        <InlinePreview item={shown} actions={{}} />
      </div>
    )
  }
  return (
    <div className={styles.box}>
      <PadlockNiche className={styles.art} />
      <p className={styles.title}>This file is encrypted</p>
      <Decryptor
        file={file}
        address={contentAddress(visit, file)}
        downloadAddress={downloadAddress(visit, file.id)}
        linkKey={linkKey}
        onShow={canPreview ? setShown : undefined}
      />
    </div>
  )
}
