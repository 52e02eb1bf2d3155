import { Anchor, Button, Stack } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { failureText } from '../failure-text.ts'
import { useFinishLogin } from '../sign-in/use-finish-login.ts'
import { CodeField } from './CodeField.tsx'
import styles from './LoginCodeForm.module.css'
import { useLoginWithCode } from './queries.ts'

interface LoginCodeFormProps {
  /** What the right password was answered with. */
  readonly challenge: string
  readonly onBack: () => void
}

/** The second step of signing in. */
export function LoginCodeForm({ challenge, onBack }: LoginCodeFormProps) {
  const login = useLoginWithCode()
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
          <h2 className={styles.title}>Two-factor sign-in</h2>
          <p className={styles.text}>
            {isRecovery
              ? 'Enter one of the recovery codes that you kept. Each works once.'
              : 'Enter the six digits that your authenticator app shows.'}
          </p>
        </div>
        {login.isError && (
          <Notice
            tone="error"
            text={failureText(
              login.error,
              'An error occurred while logging in.',
              'An error occurred while logging in.',
            )}
          />
        )}
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
        <div className={styles.ways}>
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
            {isRecovery ? 'Use a code of the app' : 'Use a recovery code'}
          </Anchor>
        </div>
      </Stack>
    </form>
  )
}
