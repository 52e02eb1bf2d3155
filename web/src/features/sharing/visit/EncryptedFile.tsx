import type { PublicFile } from '@alcove/contract/sharing'
import { type ReactNode, useState } from 'react'
import { InlinePreview } from '../../../preview/Preview.tsx'
import type { PreviewItem } from '../../../preview/preview-item.ts'
import { PadlockNiche } from '../../../ui/art/niches.tsx'
import styles from './EncryptedFile.module.css'
import { contentAddress, downloadAddress, type Visit } from './link-address.ts'

/** What decrypts a file of a link; given by the page, since it is the vault's. */
export type Decryptor = (props: DecryptorProps) => ReactNode

export interface DecryptorProps {
  readonly file: PublicFile
  /** Where its encrypted bytes are; `download` counts as one. */
  readonly address: string
  readonly downloadAddress: string
  /** The key of the file, where its link carries one. */
  readonly linkKey?: string
  /** The file can be seen from now on. */
  readonly onShow: (item: PreviewItem) => void
}

interface EncryptedFileProps {
  readonly visit: Visit
  readonly file: PublicFile
  readonly linkKey?: string
  readonly Decryptor: Decryptor
}

/** A file of the vault, which only its key or passphrase opens: here, in the visitor's browser. */
export function EncryptedFile({ visit, file, linkKey, Decryptor }: EncryptedFileProps) {
  const [shown, setShown] = useState<PreviewItem>()
  if (shown) {
    return (
      <div className={styles.shown}>
        <InlinePreview key={shown.id} item={shown} actions={{}} />
      </div>
    )
  }
  return (
    <div className={styles.box}>
      <PadlockNiche className={styles.art} />
      <p className={styles.title}>This file is encrypted</p>
      <Decryptor
        file={file}
        address={contentAddress(visit, file.id)}
        downloadAddress={downloadAddress(visit, file.id)}
        linkKey={linkKey}
        onShow={setShown}
      />
    </div>
  )
}
