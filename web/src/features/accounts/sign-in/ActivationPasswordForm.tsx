import { PASSWORD_REQUIREMENTS_NOT_MET, passwordRules } from '@alcove/contract/fields'
import { Anchor, Button, PasswordInput, Stack } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { Notice } from '../../../ui/Notice.tsx'
import { ConfirmPasswordField } from './ConfirmPasswordField.tsx'
import { NewPasswordField } from './NewPasswordField.tsx'

interface ActivationPasswordFormProps {
  readonly isPending: boolean
  /** Why the last try failed. */
  readonly problem: string | undefined
  readonly onSubmit: (password: { password: string } | { newPassword: string }) => void
}

/** Asks for the password that was chosen at registration, or for another one in its place. */
export function ActivationPasswordForm({ isPending, problem, onSubmit }: ActivationPasswordFormProps) {
  const [isNew, setNew] = useState(false)
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [mistake, setMistake] = useState<string>()

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isPending) return
    const found = isNew ? findMistake(password, confirmation) : password === '' ? 'Enter your password.' : undefined
    setMistake(found)
    if (!found) onSubmit(isNew ? { newPassword: password } : { password })
  }

  function turn() {
    setNew(!isNew)
    setPassword('')
    setConfirmation('')
    setMistake(undefined)
  }

  const shown = mistake ?? problem
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        {shown && <Notice tone="error" text={shown} />}
        <p>
          {isNew
            ? 'Set a password for this account. It replaces the one that was chosen when your address was registered.'
            : 'To make sure that this account is yours, confirm the password you chose when you registered.'}
        </p>
        {isNew ? (
          <>
            <NewPasswordField label="New Password" value={password} onChange={setPassword} />
            <ConfirmPasswordField password={password} value={confirmation} onChange={setConfirmation} />
          </>
        ) : (
          <PasswordInput
            size="md"
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        )}
        <Button type="submit" size="lg" fullWidth loading={isPending}>
          Activate Account
        </Button>
        <Anchor component="button" type="button" onClick={turn}>
          {isNew ? 'I know the password' : 'I don’t know it, or didn’t register: set a new password'}
        </Anchor>
      </Stack>
    </form>
  )
}

function findMistake(password: string, confirmation: string): string | undefined {
  if (!passwordRules.every((rule) => rule.isMet(password))) return PASSWORD_REQUIREMENTS_NOT_MET
  return password === confirmation ? undefined : 'Passwords do not match!'
}
