import { REDIRECT_AFTER_FORGOT_PASSWORD } from '@alcove/contract/limits'
import { Button, Stack } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { ApiError } from '../../../api/api.ts'
import { useRedirectLater } from '../../../lib/use-redirect-later.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useForgotPassword } from '../queries.ts'
import { EmailField } from './EmailField.tsx'

export function ForgotPasswordForm() {
  const forgotPassword = useForgotPassword()
  const redirectLater = useRedirectLater()
  const [email, setEmail] = useState('')

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (forgotPassword.isPending || forgotPassword.isSuccess) return
    forgotPassword.mutate({ email }, { onSuccess: () => redirectLater('/login', REDIRECT_AFTER_FORGOT_PASSWORD) })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        {forgotPassword.isSuccess && <Notice tone="success" text={forgotPassword.data.message} />}
        {forgotPassword.isError && (
          <Notice
            tone="error"
            text={
              forgotPassword.error instanceof ApiError
                ? 'Password reset request failed'
                : 'An error occurred while sending the request'
            }
          />
        )}
        <EmailField size="md" value={email} onChange={setEmail} />
        <Button
          type="submit"
          size="lg"
          fullWidth
          loading={forgotPassword.isPending}
          disabled={forgotPassword.isSuccess || email.trim() === ''}
        >
          Reset Password
        </Button>
      </Stack>
    </form>
  )
}
