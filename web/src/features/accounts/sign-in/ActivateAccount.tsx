import { activate } from '@alcove/contract/accounts'
import { PASSWORD_REQUIREMENTS_NOT_MET, passwordRules } from '@alcove/contract/credentials'
import { REDIRECT_AFTER_ACTIVATION } from '@alcove/contract/limits'
import { Anchor, Loader, PasswordInput, Stack } from '@mantine/core'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { ApiError } from '../../../api/api.ts'
import { getSession, updateSession } from '../../../api/session.ts'
import { useCall } from '../../../api/use-call.ts'
import { useRedirectLater } from '../../../lib/use-redirect-later.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { ConfirmPasswordField, NewPasswordField } from './NewPasswordFields.tsx'

/** Sent by a browser that has no proof of a registration. The server then asks for the password, too. */
const NO_PROOF = 'none'

interface ActivateAccountProps {
  readonly token: string
}

/**
 * Uses the token of the activation email. In the browser that registered, or is signed in, that activates the account at
 * once. Any other browser is asked for the password, since whoever reads the email need not be the one who registered.
 */
export function ActivateAccount({ token }: ActivateAccountProps) {
  const { mutate, status, error, isPending } = useCall(activate)
  const redirectLater = useRedirectLater()
  const used = useRef<string>(undefined)
  const needsPassword = useRef(false)
  if (error instanceof ApiError && error.body?.code === 'password_required') needsPassword.current = true

  useEffect(() => {
    // A token works only once, so an effect that runs again must not use it again.
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
        problem={error instanceof ApiError && error.body?.code === 'password_required' ? undefined : failureOf(error)}
        onSubmit={(password) => mutate({ token, ...password })}
      />
    )
  if (status === 'error')
    return (
      <Notice
        tone="error"
        text={failureOf(error) ?? ''}
        // An activated user can sign in there, and anyone else can request another email.
        action={
          <Anchor component={Link} to="/login">
            Sign in, or get a new link
          </Anchor>
        }
      />
    )
  return <Loader role="status" aria-label="Activating your account" />
}

function failureOf(error: Error | null): string | undefined {
  if (!error) return undefined
  if (!(error instanceof ApiError)) return 'An error occurred while activating your account.'
  return error.text ?? 'Activation failed. Please try again.'
}

interface ActivationPasswordFormProps {
  readonly isPending: boolean
  /** Why the last attempt failed. */
  readonly problem: string | undefined
  readonly onSubmit: (password: { password: string } | { newPassword: string }) => void
}

/** Asks for the password that was chosen at registration, or for a new one that replaces it. */
function ActivationPasswordForm({ isPending, problem, onSubmit }: ActivationPasswordFormProps) {
  const [isNew, setNew] = useState(false)
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [found, setProblem] = useState<string>()

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isPending) return
    const next = isNew ? findProblem(password, confirmation) : password === '' ? 'Enter your password.' : undefined
    setProblem(next)
    if (!next) onSubmit(isNew ? { newPassword: password } : { password })
  }

  function toggleNew() {
    setNew(!isNew)
    setPassword('')
    setConfirmation('')
    setProblem(undefined)
  }

  const shown = found ?? problem
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
        <BusyButton type="submit" size="lg" fullWidth loading={isPending}>
          Activate Account
        </BusyButton>
        <Anchor component="button" type="button" onClick={toggleNew}>
          {isNew ? 'I know the password' : 'I don’t know it, or didn’t register: set a new password'}
        </Anchor>
      </Stack>
    </form>
  )
}

function findProblem(password: string, confirmation: string): string | undefined {
  if (!passwordRules.every((rule) => rule.isMet(password))) return PASSWORD_REQUIREMENTS_NOT_MET
  return password === confirmation ? undefined : 'Passwords do not match!'
}
