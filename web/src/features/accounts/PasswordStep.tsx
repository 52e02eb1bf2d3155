import { Button, Group, PasswordInput } from '@mantine/core'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './AccountCards.module.css'
import { useHasPassword } from './single-sign-on/queries.ts'

interface PasswordStepProps {
  readonly text: string
  /** The same for accounts that have no password, where it differs. */
  readonly textWithoutPassword?: string
  readonly verb: string
  readonly color?: string
  readonly isBusy: boolean
  /** Why the last attempt failed. */
  readonly problem: string | undefined
  readonly onSubmit: (password: string) => void
  readonly onClose: () => void
  /** More fields, below the password. */
  readonly children?: ReactNode
}

/** Asks for the password before a change that someone else at an unlocked screen must not make. */
export function PasswordStep({
  text,
  textWithoutPassword = text,
  verb,
  color,
  isBusy,
  problem,
  onSubmit,
  onClose,
  children,
}: PasswordStepProps) {
  const [password, setPassword] = useState('')
  const hasPassword = useHasPassword()

  function submit(event: SubmitEvent) {
    event.preventDefault()
    onSubmit(password)
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.text}>{hasPassword ? text : textWithoutPassword}</p>
      {problem && <Notice tone="error" text={problem} />}
      {hasPassword && (
        <PasswordInput
          label="Current Password"
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      {children}
      <Group className={styles.end} gap="xs">
        <Button variant="subtle" disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" color={color} loading={isBusy}>
          {verb}
        </BusyButton>
      </Group>
    </form>
  )
}
