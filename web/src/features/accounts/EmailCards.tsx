import { getAccountStatus, updateEmail } from '@alcove/contract/accounts'
import { RELOAD_AFTER_EMAIL_UPDATE } from '@alcove/contract/limits'
import { Button, PasswordInput, Skeleton } from '@mantine/core'
import { IconAlertCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useState } from 'react'
import { send } from '../../api/api.ts'
import { updateSession, useSession } from '../../api/session.ts'
import { useCall } from '../../api/use-call.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Card } from '../../ui/Card.tsx'
import { Notice } from '../../ui/Notice.tsx'
import cardStyles from './AccountCards.module.css'
import styles from './EmailCards.module.css'
import { failureText } from './failure-text.ts'
import { EmailField } from './sign-in/EmailField.tsx'
import { ResendActivationButton, type ResendTexts, useResend } from './sign-in/ResendActivation.tsx'
import { useHasPassword } from './single-sign-on/queries.ts'

/** Shows whether the email address is confirmed, and sends the activation email again. */
export function AccountStatusCard() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['accounts', 'status'],
    queryFn: ({ signal }) => send(getAccountStatus, {}, { signal }),
  })
  useEffect(() => {
    if (error) console.error('Couldn’t load the account status.', error)
  }, [error])

  return (
    <Card title="Account Status">
      {data ? (
        <ActivationStatus isActivated={data.isActivated} />
      ) : isPending ? (
        <Skeleton height={40} aria-label="Loading the account status" />
      ) : (
        <div className={styles.unknown}>
          <span>The status is not available right now.</span>
          <Button variant="default" size="xs" onClick={() => void refetch()}>
            Retry
          </Button>
        </div>
      )}
    </Card>
  )
}

const resendTexts: ResendTexts = {
  sent: 'Done',
  failed: 'Failed to resend activation email.',
  broken: 'Failed to resend activation email.',
}

interface ActivationStatusProps {
  readonly isActivated: boolean
}

function ActivationStatus({ isActivated }: ActivationStatusProps) {
  const { email = '' } = useSession()
  const resend = useResend(resendTexts)
  return (
    <>
      <div className={styles.status} data-activated={isActivated}>
        {isActivated ? <IconCircleCheckFilled size={20} aria-hidden /> : <IconAlertCircle size={20} aria-hidden />}
        <div>
          <strong className={styles.name}>{isActivated ? 'Activated' : 'Not Activated'}</strong>
          <div className={styles.detail}>
            {isActivated ? 'Your email address is confirmed.' : 'Open the link in our email to confirm your address.'}
          </div>
        </div>
      </div>
      {!isActivated && (
        <div className={styles.resend}>
          <ResendActivationButton isPending={resend.isPending} onClick={() => resend.send(email)} />
          {resend.notice && <Notice {...resend.notice} />}
        </div>
      )}
    </>
  )
}

/** Changes the email address, then reloads the page, so that every part of it shows the new one. */
export function UpdateEmailCard() {
  const { email = '' } = useSession()
  const update = useCall(updateEmail)
  const [newEmail, setNewEmail] = useState('')
  const [password, setPassword] = useState('')
  const hasPassword = useHasPassword()

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
      <form className={cardStyles.form} onSubmit={submit} noValidate>
        {update.isError && <Notice tone="error" text={failureText(update.error, 'Failed to update email.')} />}
        {update.isSuccess && <Notice tone="success" text={update.data.message} />}
        <EmailField label="New Email" placeholder="you@example.com" value={newEmail} onChange={setNewEmail} />
        {hasPassword && (
          <PasswordInput
            label="Confirm Password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        )}
        <div className={cardStyles.actions}>
          <BusyButton type="submit" variant="default" loading={update.isPending} disabled={update.isSuccess}>
            Update Email
          </BusyButton>
          <span className={cardStyles.hint}>You will be asked to confirm the new address.</span>
        </div>
      </form>
    </Card>
  )
}
