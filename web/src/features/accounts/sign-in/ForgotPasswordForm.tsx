import { forgotPassword } from '@alcove/contract/accounts'
import { REDIRECT_AFTER_FORGOT_PASSWORD } from '@alcove/contract/limits'
import { Stack } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { ApiError } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import { useRedirectLater } from '../../../lib/use-redirect-later.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { EmailField } from './EmailField.tsx'

/** Requests an email with a link to set a new password. */
export function ForgotPasswordForm() {
  const request = useCall(forgotPassword)
  const redirectLater = useRedirectLater()
  const [email, setEmail] = useState('')

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (request.isSuccess) return
    request.mutate({ email }, { onSuccess: () => redirectLater('/login', REDIRECT_AFTER_FORGOT_PASSWORD) })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        {request.isSuccess && <Notice tone="success" text={request.data.message} />}
        {request.isError && (
          <Notice
            tone="error"
            text={
              request.error instanceof ApiError
                ? 'Password reset request failed'
                : 'An error occurred while sending the request'
            }
          />
        )}
        <EmailField size="md" value={email} onChange={setEmail} />
        <BusyButton
          type="submit"
          size="lg"
          fullWidth
          loading={request.isPending}
          disabled={request.isSuccess || email.trim() === ''}
        >
          Reset Password
        </BusyButton>
      </Stack>
    </form>
  )
}
