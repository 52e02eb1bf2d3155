import { Anchor, Button, PasswordInput, Stack } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Notice } from '../../../ui/Notice.tsx'
import { PasskeyLogin } from '../passkeys/PasskeyLogin.tsx'
import { useLogin } from '../queries.ts'
import { LoginCodeForm } from '../two-factor/LoginCodeForm.tsx'
import { EmailField } from './EmailField.tsx'
import styles from './LoginForm.module.css'
import { describeLoginFailure } from './login-failure.ts'
import { ResendActivationButton, useResend } from './ResendActivation.tsx'
import { RobotCheck } from './RobotCheck.tsx'
import { useFinishLogin } from './use-finish-login.ts'

/** Signs in: by address and password, after which a code may be asked for, or by a passkey. */
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
  /** Called when the password was right and a code comes next. */
  readonly onChallenge: (challenge: string) => void
  /** Come back to from the code. */
  readonly isBack: boolean
}

function CredentialsForm({ email, onEmail, onChallenge, isBack }: CredentialsFormProps) {
  const login = useLogin()
  const resend = useResend()
  const finish = useFinishLogin()
  const [password, setPassword] = useState('')
  const [isHuman, setIsHuman] = useState(false)
  // Where registering has just ended.
  const registered = (useLocation().state as { registered?: string } | null)?.registered
  const failure = login.isError ? describeLoginFailure(login.error) : undefined

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (login.isPending || login.isSuccess || !isHuman) return
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
        <Button type="submit" size="lg" fullWidth loading={login.isPending} disabled={!isHuman}>
          Login
        </Button>
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
