import { resetPassword, validatePassword } from '@alcove/contract/accounts'
import { findResetPasswordProblem } from '@alcove/contract/credentials'
import { Anchor, Loader, PasswordInput, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { ApiError, send } from '../../../api/api.ts'
import { updateSession } from '../../../api/session.ts'
import { useCall } from '../../../api/use-call.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { notifySuccess } from '../../../ui/toasts/notify.tsx'

interface ResetPasswordFormProps {
  readonly resetToken: string
}

/** Checks the token of the email, then asks for the new password. */
export function ResetPasswordForm({ resetToken }: ResetPasswordFormProps) {
  const validation = useQuery({
    queryKey: ['accounts', 'validate-password', resetToken],
    queryFn: ({ signal }) => send(validatePassword, { resetToken }, { signal }),
    retry: false,
    // Only using the token makes it invalid.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (validation.isPending) return <Loader role="status" aria-label="Checking the link" />
  if (validation.isError)
    return (
      <Notice
        tone="error"
        text={
          validation.error instanceof ApiError
            ? 'Invalid or expired token. Please request a new password reset link.'
            : 'An error occurred while validating the token.'
        }
        action={
          <Anchor component={Link} to="/forgot-password">
            Request a new link
          </Anchor>
        }
      />
    )
  return <NewPasswordForm resetToken={resetToken} />
}

function NewPasswordForm({ resetToken }: ResetPasswordFormProps) {
  const reset = useCall(resetPassword)
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [problem, setProblem] = useState<string>()

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (reset.isPending || reset.isSuccess) return
    const found = findProblem(password, confirmation)
    setProblem(found)
    if (found) return
    reset.mutate(
      { resetToken, token: resetToken, newPassword: password },
      {
        onSuccess: ({ message }) => {
          updateSession({ token: undefined }) // the reset ends every session of the account
          notifySuccess(message)
          void navigate('/')
        },
        onError: (error) =>
          setProblem(
            error instanceof ApiError ? 'Password reset failed.' : 'An error occurred while resetting the password.',
          ),
      },
    )
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        {problem ? (
          <Notice tone="error" text={problem} />
        ) : (
          <Notice tone="success" text="Token is valid. You can reset your password." />
        )}
        <PasswordInput
          size="md"
          label="New Password"
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <PasswordInput
          size="md"
          label="Confirm Password"
          autoComplete="new-password"
          value={confirmation}
          onChange={(event) => setConfirmation(event.currentTarget.value)}
        />
        <BusyButton type="submit" size="lg" fullWidth loading={reset.isPending} disabled={reset.isSuccess}>
          Reset Password
        </BusyButton>
      </Stack>
    </form>
  )
}

/** Returns what is wrong with the password or its confirmation, or undefined. */
function findProblem(password: string, confirmation: string): string | undefined {
  if (password !== confirmation) return 'Passwords do not match'
  return findResetPasswordProblem(password)
}
