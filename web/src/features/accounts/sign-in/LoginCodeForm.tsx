import { loginWithCode } from '@alcove/contract/two-factor'
import { Anchor, Button, Stack } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useCall } from '../../../api/use-call.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { failureText } from '../failure-text.ts'
import { CodeField } from '../two-factor/CodeField.tsx'
import { useFinishLogin } from './finish-login.ts'
import styles from './LoginForm.module.css'

const LOGIN_FAILED = 'An error occurred while logging in.'

interface LoginCodeFormProps {
  /** From the response to the correct password. */
  readonly challenge: string
  /** From a sign-in through a provider that the code completes. */
  readonly ticket?: string
  readonly onBack: () => void
}

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function LoginCodeForm({ challenge, ticket, onBack }: LoginCodeFormProps) {
  const login = useCall(loginWithCode)
  const finish = useFinishLogin()
  const [code, setCode] = useState('')
  const [isRecovery, setRecovery] = useState(false)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (login.isSuccess || code.trim() === '') return
    login.mutate({ challenge, code, ticket }, { onSuccess: finish })
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
