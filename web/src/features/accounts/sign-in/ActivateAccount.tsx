import { REDIRECT_AFTER_ACTIVATION } from '@alcove/contract/limits'
import { Anchor, Loader } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { ApiError } from '../../../api/api.ts'
import { getSession, updateSession } from '../../../api/session.ts'
import { useRedirectLater } from '../../../lib/use-redirect-later.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useActivate } from '../queries.ts'
import { ActivationPasswordForm } from './ActivationPasswordForm.tsx'

/** What a browser shows that has not registered: it proves nothing, so that the link alone activates nothing here. */
const NO_PROOF = 'none'

interface ActivateAccountProps {
  readonly token: string
}

/**
 * Uses the token of the mail. The browser that registered, or is signed in, activates at once; any other is asked for the
 * password, since whoever holds the mail need not be who chose it.
 */
export function ActivateAccount({ token }: ActivateAccountProps) {
  const { mutate, status, error, isPending } = useActivate()
  const redirectLater = useRedirectLater()
  const used = useRef<string>(undefined)
  const needsPassword = useRef(false)
  if (error instanceof ApiError && error.body?.code === 'password_required') needsPassword.current = true

  useEffect(() => {
    // A token is good for one use only, so an effect that runs again must not use it again.
    if (token === '' || used.current === token) return
    used.current = token
    mutate({ token, proof: getSession().proof ?? NO_PROOF })
  }, [token, mutate])

  useEffect(() => {
    if (status !== 'success') return
    updateSession({ proof: undefined })
    redirectLater('/login', REDIRECT_AFTER_ACTIVATION)
  }, [status, redirectLater])

  if (token === '') return <Notice tone="error" text="No activation token found." />
  if (status === 'success')
    return <Notice tone="success" text="Your account has been successfully activated! Redirecting to login..." />
  if (needsPassword.current)
    return (
      <ActivationPasswordForm
        isPending={isPending}
        problem={error instanceof ApiError && error.body?.code === 'password_required' ? undefined : textOf(error)}
        onSubmit={(password) => mutate({ token, ...password })}
      />
    )
  if (status === 'error')
    return (
      <Notice
        tone="error"
        text={textOf(error) ?? ''}
        // Who is activated already gets in; everybody else can have another mail sent there.
        action={
          <Anchor component={Link} to="/login">
            Sign in, or get a new link
          </Anchor>
        }
      />
    )
  return <Loader aria-label="Activating your account" />
}

function textOf(error: Error | null): string | undefined {
  if (!error) return undefined
  if (!(error instanceof ApiError)) return 'An error occurred while activating your account.'
  return error.text ?? 'Activation failed. Please try again.'
}
