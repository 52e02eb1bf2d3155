import { login as loginCall } from '@alcove/contract/accounts'
import { PasswordInput, Stack, Text } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { type SubmitEvent, useState } from 'react'
import { useAction, useCall } from '../../../api/use-call.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { failureText } from '../failure-text.ts'
import { describePasskeyFailure, hasPasskeys, signInWithPasskey } from '../passkeys/passkey-ceremonies.ts'
import { useFinishLogin } from '../sign-in/finish-login.ts'
import { LoginCodeForm } from '../sign-in/LoginCodeForm.tsx'

interface LinkAccountFormProps {
  /** The address of the account. */
  readonly email: string
  readonly ticket: string
}

/** Links an existing account to a provider: the user proves that the account is theirs, with the password or a passkey. */
export function LinkAccountForm({ email, ticket }: LinkAccountFormProps) {
  const login = useCall(loginCall)
  const finish = useFinishLogin()
  const passkey = useAction(async () => finish(await signInWithPasskey(ticket)))
  const [password, setPassword] = useState('')
  const [challenge, setChallenge] = useState<string>()
  if (challenge !== undefined) {
    return <LoginCodeForm challenge={challenge} ticket={ticket} onBack={() => setChallenge(undefined)} />
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    login.mutate(
      { email, password, ticket },
      { onSuccess: (response) => (response.twoFactorRequired ? setChallenge(response.challenge) : finish(response)) },
    )
  }

  const problem = login.error
    ? failureText(login.error, 'Couldn’t sign in. Try again.')
    : passkey.error && describePasskeyFailure(passkey.error, 'Signing in with a passkey failed.')
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        {problem && <Notice tone="error" text={problem} />}
        <Text>
          The account <strong>{email}</strong> exists already. Its password shows that it is yours.
        </Text>
        {/* Password managers look for it. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          size="md"
          label="Password"
          autoComplete="current-password"
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <BusyButton type="submit" size="lg" fullWidth loading={login.isPending} disabled={password === ''}>
          Sign in and link
        </BusyButton>
        {hasPasskeys() && (
          <BusyButton
            variant="subtle"
            size="md"
            fullWidth
            leftSection={<IconFingerprint size={20} stroke={1.75} />}
            loading={passkey.isPending}
            onClick={() => passkey.mutate()}
          >
            Use a passkey
          </BusyButton>
        )}
      </Stack>
    </form>
  )
}
