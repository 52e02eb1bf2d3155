import { updatePassword } from '@alcove/contract/accounts'
import { passwordRules } from '@alcove/contract/credentials'
import { PasswordInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { useCall } from '../../api/use-call.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Card } from '../../ui/Card.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './AccountCards.module.css'
import { failureText } from './failure-text.ts'
import { NewPasswordField } from './sign-in/NewPasswordFields.tsx'
import { signInMethodsKey, useHasPassword } from './single-sign-on/queries.ts'

export function UpdatePasswordCard() {
  const update = useCall(updatePassword)
  const hasPassword = useHasPassword()
  const queryClient = useQueryClient()
  const [currentPassword, setCurrentPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const [changes, setChanges] = useState(0)
  const first = useRef<HTMLInputElement>(null)
  const isAllowed = passwordRules.every((rule) => rule.isMet(newPassword))

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!isAllowed) return
    update.mutate(
      { currentPassword, newPassword },
      {
        onSuccess: () => {
          setCurrentPassword('')
          setNewPassword('')
          setChanges((count) => count + 1)
          first.current?.focus()
          void queryClient.invalidateQueries({ queryKey: signInMethodsKey })
        },
      },
    )
  }

  return (
    <Card title={hasPassword ? 'Update Password' : 'Set a Password'}>
      <form className={styles.form} onSubmit={submit} noValidate>
        {update.isError && <Notice tone="error" text={failureText(update.error, 'Failed to update password.')} />}
        {update.isSuccess && <Notice tone="success" text={update.data.message} />}
        {hasPassword && (
          <PasswordInput
            ref={first}
            label="Current Password"
            autoComplete="current-password"
            value={currentPassword}
            onChange={(event) => setCurrentPassword(event.currentTarget.value)}
          />
        )}
        {/* A new key after each change, so that the empty field isn't checked against the rules. */}
        <NewPasswordField key={changes} label="New Password" value={newPassword} onChange={setNewPassword} />
        <div className={styles.actions}>
          <BusyButton type="submit" loading={update.isPending} disabled={!isAllowed}>
            {hasPassword ? 'Update Password' : 'Set Password'}
          </BusyButton>
          <span className={styles.hint}>You stay signed in here, and are signed out everywhere else.</span>
        </div>
      </form>
    </Card>
  )
}
