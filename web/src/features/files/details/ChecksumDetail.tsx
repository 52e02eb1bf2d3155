import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { copyText } from '../../../lib/copy-text.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Detail } from './Detail.tsx'
import styles from './DetailsPane.module.css'

interface DigestFactProps {
  readonly isLoading: boolean
  /** In the vault it is that of the bytes as they are stored: those that were encrypted are known to nobody here. */
  readonly isEncrypted: boolean
  /** null while it is being computed. */
  readonly digest: string | null | undefined
}

/** The SHA-256 of a file, by which it can be told that two files are the same, or that a download is whole. */
export function ChecksumDetail({ isLoading, isEncrypted, digest }: DigestFactProps) {
  const [copied, setCopied] = useState<string>()
  const name = isEncrypted ? 'SHA-256 as stored, encrypted' : 'SHA-256'
  if (!digest) {
    return (
      <Detail name={name} isLoading={isLoading}>
        {digest === null ? 'Being computed' : undefined}
      </Detail>
    )
  }
  const isCopied = copied === digest
  return (
    <Detail name={name}>
      <span className={styles.digest}>
        <code>{digest}</code>
        <IconButton
          label={isCopied ? 'Copied' : 'Copy the SHA-256'}
          onClick={() => void copyText(digest, null).then((isDone) => isDone && setCopied(digest))}
        >
          {isCopied ? <IconCheck size={18} stroke={1.75} /> : <IconCopy size={18} stroke={1.75} />}
        </IconButton>
      </span>
    </Detail>
  )
}
