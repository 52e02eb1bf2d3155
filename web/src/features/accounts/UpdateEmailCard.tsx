import { RELOAD_AFTER_EMAIL_UPDATE } from '@alcove/contract/limits'
import { PasswordInput } from '@mantine/core'
import { type SubmitEvent, useEffect, useState } from 'react'
import { updateSession, useSession } from '../../api/session.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Card } from '../../ui/Card.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './AccountCards.module.css'
import { failureText } from './failure-text.ts'
import { useUpdateEmail } from './queries.ts'
import { EmailField } from './sign-in/EmailField.tsx'

/** Takes another address. The page is then loaded anew, so that all of it knows. */
export function UpdateEmailCard() {
  const { email = '' } = useSession()
  const update = useUpdateEmail()
  const [newEmail, setNewEmail] = useState('')
  const [password, setPassword] = useState('')

  useEffect(() => {
    if (!update.isSuccess) return
    const timer = window.setTimeout(() => window.location.reload(), RELOAD_AFTER_EMAIL_UPDATE)
    return () => window.clearTimeout(timer)
  }, [update.isSuccess])

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (update.isSuccess) return
    update.mutate(
      { email, newEmail, password },
      { onSuccess: ({ email: changed }) => updateSession({ email: changed }) },
    )
  }

  return (
    <Card title="Update Email">
      <form className={styles.form} onSubmit={submit} noValidate>
        {update.isError && <Notice tone="error" text={failureText(update.error, 'Failed to update email.')} />}
        {update.isSuccess && <Notice tone="success" text={update.data.message} />}
        <EmailField label="New Email" placeholder="you@example.com" value={newEmail} onChange={setNewEmail} />
        <PasswordInput
          label="Confirm Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <div className={styles.actions}>
          <BusyButton type="submit" variant="default" loading={update.isPending} disabled={update.isSuccess}>
            Update Email
          </BusyButton>
          <span className={styles.hint}>You will be asked to confirm the new address.</span>
        </div>
      </form>
    </Card>
  )
}
