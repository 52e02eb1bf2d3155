import { login as loginCall } from '@alcove/contract/accounts'
import { Anchor, PasswordInput, Stack } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { type SubmitEvent, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { ApiError } from '../../../api/api.ts'
import { useAction, useCall } from '../../../api/use-call.ts'
import { canRegister } from '../../../lib/sign-up.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { describePasskeyFailure, signInWithPasskey } from '../passkeys/passkey-ceremonies.ts'
import { OnlyProviders } from '../single-sign-on/OnlyProviders.tsx'
import { ProviderSignIn } from '../single-sign-on/ProviderSignIn.tsx'
import { EmailField } from './EmailField.tsx'
import { useFinishLogin } from './finish-login.ts'
import { LoginCodeForm } from './LoginCodeForm.tsx'
import styles from './LoginForm.module.css'
import { ResendActivationButton, useResend } from './ResendActivation.tsx'
import { RobotCheck } from './RobotCheck.tsx'

const LOGIN_FAILED = 'An error occurred while logging in.'

/** Signs in with email and password, and a code if two-factor sign-in is on, or with a passkey. */
export function LoginForm() {
  const [email, setEmail] = useState('')
  const [challenge, setChallenge] = useState<string>()
  const [isBack, setBack] = useState(false)
  if (challenge !== undefined)
    return (
      <LoginCodeForm
        challenge={challenge}
        onBack={() => {
          setChallenge(undefined)
          setBack(true)
        }}
      />
    )
  return (
    <OnlyProviders>
      <CredentialsForm email={email} onEmail={setEmail} onChallenge={setChallenge} isBack={isBack} />
    </OnlyProviders>
  )
}

interface CredentialsFormProps {
  readonly email: string
  readonly onEmail: (email: string) => void
  /** Called when the password is correct and a code is needed, too. */
  readonly onChallenge: (challenge: string) => void
  /** Whether the user has come back from the code. */
  readonly isBack: boolean
}

function CredentialsForm({ email, onEmail, onChallenge, isBack }: CredentialsFormProps) {
  const login = useCall(loginCall)
  const resend = useResend()
  const finish = useFinishLogin()
  const [password, setPassword] = useState('')
  const [isHuman, setIsHuman] = useState(false)
  // Set by the registration form, which leads here.
  const registered = (useLocation().state as { registered?: string } | null)?.registered
  const failure = login.isError ? describeLoginFailure(login.error) : undefined

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (login.isSuccess || !isHuman) return
    resend.reset()
    login.mutate(
      { email, password },
      { onSuccess: (response) => (response.twoFactorRequired ? onChallenge(response.challenge) : finish(response)) },
    )
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        {failure === undefined && registered && (
          <Notice
            tone="info"
            text={`Check your mail: open the link we sent to ${registered} to activate your account.`}
          />
        )}
        {failure && (
          <Notice
            tone={resend.notice?.tone ?? 'error'}
            text={resend.notice?.text ?? failure.text}
            action={
              failure.canResend && (
                <ResendActivationButton isPending={resend.isPending} onClick={() => resend.send(email)} />
              )
            }
          />
        )}
        <EmailField size="md" autoComplete="username" autoFocus={isBack} value={email} onChange={onEmail} />
        <div className={styles.password}>
          <PasswordInput
            size="md"
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Anchor className={styles.forgot} component={Link} to="/forgot-password">
            Forgot Password?
          </Anchor>
        </div>
        <RobotCheck isPassed={isHuman} onChange={setIsHuman} />
        <BusyButton type="submit" size="lg" fullWidth loading={login.isPending} disabled={!isHuman}>
          Login
        </BusyButton>
        <PasskeyLogin />
        <ProviderSignIn />
        {canRegister() && (
          <p className={styles.register}>
            New here?{' '}
            <Anchor component={Link} to="/register" inherit>
              Register
            </Anchor>
          </p>
        )}
      </Stack>
    </form>
  )
}

function PasskeyLogin() {
  const finish = useFinishLogin()
  const login = useAction(async () => finish(await signInWithPasskey()))
  const problem = login.error ? describePasskeyFailure(login.error, 'Signing in with a passkey failed.') : undefined
  return (
    <Stack gap={10}>
      <BusyButton
        variant="subtle"
        size="md"
        fullWidth
        leftSection={<IconFingerprint size={20} stroke={1.75} />}
        loading={login.isPending}
        onClick={() => login.mutate()}
      >
        Sign in with a passkey
      </BusyButton>
      {problem && <Notice tone="error" text={problem} />}
    </Stack>
  )
}

interface LoginFailure {
  readonly text: string
  /** The account is not activated yet: the activation email can be sent again. */
  readonly canResend: boolean
}

/** Returns the message for a failed login, by its status (specification, section 8). */
function describeLoginFailure(error: unknown): LoginFailure {
  const refusal = error instanceof ApiError ? error : undefined
  if (refusal?.status === 400) return { text: 'Login failed.', canResend: false }
  if (refusal?.status === 401) return { text: 'Incorrect username/password.', canResend: false }
  if (refusal?.status === 403 && refusal.body?.resendOption)
    return { text: refusal.text ?? 'Account not activated.', canResend: true }
  return { text: refusal?.text ?? LOGIN_FAILED, canResend: false }
}
