import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { formatCount, plural } from '../../lib/format.ts'
import { ItemName } from '../../ui/ItemName.tsx'
import { uploads } from '../engine/uploads.ts'
import styles from './FailureList.module.css'

/** More are not of use at once: what they have in common shows by then. */
const LIMIT = 100

interface FailureListProps {
  readonly id: string
  readonly count: number
}

/** The failed files of a folder, each with its reason, for who wants to see them. */
export function FailureList({ id, count }: FailureListProps) {
  const [isOpen, setIsOpen] = useState(false)
  const failures = isOpen ? uploads.listFailures(id, LIMIT) : []
  return (
    <>
      <UnstyledButton className={styles.toggle} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Hide' : 'Show'} the {plural(count, 'failed file')}
      </UnstyledButton>
      {isOpen && (
        <ul className={styles.list}>
          {failures.map(({ name, reason }) => (
            <li key={name}>
              <ItemName name={name} className={styles.name} />
              {reason}
            </li>
          ))}
          {count > LIMIT && <li>and {formatCount(count - LIMIT)} more</li>}
        </ul>
      )}
    </>
  )
}
