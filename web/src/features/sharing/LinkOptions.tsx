import type { PublicLink } from '@alcove/contract/sharing'
import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { LinkExpiryForm } from './LinkExpiryForm.tsx'
import styles from './LinkOptions.module.css'
import { LinkPasswordForm } from './LinkPasswordForm.tsx'
import type { LinkChange } from './queries.ts'

interface LinkOptionsProps {
  readonly link: PublicLink
  /** Resolves to nothing when the change has failed, which has been told then. */
  readonly onChange: (change: Omit<LinkChange, 'enabled'>) => Promise<PublicLink | undefined>
}

/** What few need of a link, folded away. */
export function LinkOptions({ link, onChange }: LinkOptionsProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div>
      <UnstyledButton
        className={styles.summary}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight className={styles.chevron} size={18} stroke={1.75} aria-hidden />
        Options
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={styles.list}>
          <LinkPasswordForm hasPassword={link.hasPassword} onChange={(password) => onChange({ password })} />
          <LinkExpiryForm expiresAt={link.expiresAt} onChange={(expiresAt) => onChange({ expiresAt })} />
          <p className={styles.count}>Downloads so far: {formatCount(link.downloadCount)}</p>
        </div>
      )}
    </div>
  )
}
