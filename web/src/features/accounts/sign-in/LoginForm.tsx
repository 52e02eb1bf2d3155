import { login as loginCall } from '@alcove/contract/accounts'
import { loginWithCode } from '@alcove/contract/two-factor'
import { Anchor, Button, PasswordInput, Stack } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { type SubmitEvent, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { ApiError } from '../../../api/api.ts'
import { useAction, useCall } from '../../../api/use-call.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { failureText } from '../failure-text.ts'
import { describePasskeyFailure, signInWithPasskey } from '../passkeys/passkey-ceremonies.ts'
import { CodeField } from '../two-factor/CodeField.tsx'
import { EmailField } from './EmailField.tsx'
import { useFinishLogin } from './finish-login.ts'
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
  return <CredentialsForm email={email} onEmail={setEmail} onChallenge={setChallenge} isBack={isBack} />
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
        <p className={styles.register}>
          New here?{' '}
          <Anchor component={Link} to="/register" inherit>
            Register
          </Anchor>
        </p>
      </Stack>
    </form>
  )
}

interface LoginCodeFormProps {
  /** From the response to the correct password. */
  readonly challenge: string
  readonly onBack: () => void
}

/** The second step: a code of the authenticator app, or a recovery code. */
function LoginCodeForm({ challenge, onBack }: LoginCodeFormProps) {
  const login = useCall(loginWithCode)
  const finish = useFinishLogin()
  const [code, setCode] = useState('')
  const [isRecovery, setRecovery] = useState(false)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (login.isSuccess || code.trim() === '') return
    login.mutate({ challenge, code }, { onSuccess: finish })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <div>
          <h2 className={styles.codeTitle}>Two-factor sign-in</h2>
          <p className={styles.codeText}>
            {isRecovery
              ? 'Enter one of your recovery codes. Each code works once.'
              : 'Enter the six-digit code from your authenticator app.'}
          </p>
        </div>
        {login.isError && <Notice tone="error" text={failureText(login.error, LOGIN_FAILED, LOGIN_FAILED)} />}
        <CodeField
          key={String(isRecovery)}
          size="md"
          autoFocus
          isRecovery={isRecovery}
          value={code}
          onChange={setCode}
        />
        <BusyButton type="submit" size="lg" fullWidth loading={login.isPending} disabled={code.trim() === ''}>
          Continue
        </BusyButton>
        <div className={styles.otherWays}>
          <Button variant="subtle" size="xs" onClick={onBack}>
            Back
          </Button>
          <Anchor
            component="button"
            type="button"
            fz="sm"
            onClick={() => {
              setRecovery(!isRecovery)
              setCode('')
              login.reset()
            }}
          >
            {isRecovery ? 'Use a code from the app' : 'Use a recovery code'}
          </Anchor>
        </div>
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
