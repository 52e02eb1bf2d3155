import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import styles from './Disclosure.module.css'

interface DisclosureProps {
  readonly label: string
  readonly isOpen: boolean
  readonly onToggle: (isOpen: boolean) => void
  readonly children: ReactNode
}

/** A quiet button that shows and hides what few people need. */
export function Disclosure({ label, isOpen, onToggle, children }: DisclosureProps) {
  const id = useId()
  return (
    <div>
      <UnstyledButton
        className={styles.summary}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => onToggle(!isOpen)}
      >
        <IconChevronRight className={styles.chevron} size={18} stroke={1.75} aria-hidden />
        {label}
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={styles.content}>
          {children}
        </div>
      )}
    </div>
  )
}
