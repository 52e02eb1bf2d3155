import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { copyText } from '../../lib/copy-text.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import styles from './DetailsPane.module.css'
import { Fact } from './Fact.tsx'

interface DigestFactProps {
  readonly isLoading: boolean
  /** null while it is being computed. */
  readonly digest: string | null | undefined
}

/** The SHA-256 of a file, by which it can be told that two files are the same, or that a download is whole. */
export function DigestFact({ isLoading, digest }: DigestFactProps) {
  const [copied, setCopied] = useState<string>()
  if (!digest) {
    return (
      <Fact name="SHA-256" isLoading={isLoading}>
        {digest === null ? 'Being computed' : undefined}
      </Fact>
    )
  }
  const isCopied = copied === digest
  return (
    <Fact name="SHA-256">
      <span className={styles.digest}>
        <code>{digest}</code>
        <IconButton
          label={isCopied ? 'Copied' : 'Copy the SHA-256'}
          onClick={() => void copyText(digest, null).then((isDone) => isDone && setCopied(digest))}
        >
          {isCopied ? <IconCheck size={18} stroke={1.75} /> : <IconCopy size={18} stroke={1.75} />}
        </IconButton>
      </span>
    </Fact>
  )
}
