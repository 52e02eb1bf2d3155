import { FREE_PLAN } from '@alcove/contract/plans'
import { Anchor, Button, PasswordInput, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { getSession, updateSession } from '../../lib/session.ts'
import { Notice } from '../../ui/Notice.tsx'
import { EmailField } from './EmailField.tsx'
import styles from './LoginForm.module.css'
import { destinationAfterLogin } from './login-destination.ts'
import { describeLoginFailure } from './login-failure.ts'
import { useLogin } from './queries.ts'
import { ResendActivationButton, useResend } from './ResendActivation.tsx'
import { RobotCheck } from './RobotCheck.tsx'

export function LoginForm() {
  const login = useLogin()
  const resend = useResend()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [parameters] = useSearchParams()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isHuman, setIsHuman] = useState(false)
  const failure = login.isError ? describeLoginFailure(login.error) : undefined

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (login.isPending || login.isSuccess || !isHuman) return
    resend.reset()
    login.mutate(
      { email, password },
      {
        onSuccess: ({ token, planName, planId, email: confirmed }) => {
          const { target } = getSession()
          queryClient.clear()
          updateSession({
            token,
            planName: planName || FREE_PLAN.planName,
            planId,
            email: confirmed,
            target: undefined,
          })
          const isBuying = parameters.get('redirect') === 'payment'
          void navigate(destinationAfterLogin({ target, isBuying }), { replace: true })
        },
      },
    )
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
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
        <EmailField size="md" autoComplete="username" value={email} onChange={setEmail} />
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
