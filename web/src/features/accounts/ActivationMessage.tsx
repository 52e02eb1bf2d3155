import { REDIRECT_AFTER_ACTIVATION } from '@alcove/contract/limits'
import { Anchor, Loader } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { ApiError } from '../../lib/api.ts'
import { useRedirectLater } from '../../lib/use-redirect-later.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useActivate } from './queries.ts'

interface ActivationMessageProps {
  readonly token: string
}

/** Uses the token of the mail once, and says how it went. */
export function ActivationMessage({ token }: ActivationMessageProps) {
  const { mutate, status, error } = useActivate()
  const redirectLater = useRedirectLater()
  const used = useRef<string>(undefined)

  useEffect(() => {
    // A token is good for one use only, so an effect that runs again must not use it again.
    if (token === '' || used.current === token) return
    used.current = token
    mutate({ token })
  }, [token, mutate])

  useEffect(() => {
    if (status === 'success') redirectLater('/login', REDIRECT_AFTER_ACTIVATION)
  }, [status, redirectLater])

  if (token === '') return <Notice tone="error" text="No activation token found." />
  if (status === 'success')
    return <Notice tone="success" text="Your account has been successfully activated! Redirecting to login..." />
  if (status === 'error')
    return (
      <Notice
        tone="error"
        text={
          error instanceof ApiError
            ? (error.text ?? 'Activation failed. Please try again.')
            : 'An error occurred while activating your account.'
        }
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
