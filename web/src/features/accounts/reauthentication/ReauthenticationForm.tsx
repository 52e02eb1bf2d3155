import { Button, Divider, Group, PasswordInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { type SubmitEvent, useRef, useState } from 'react'
import { ApiError } from '../../../api/api.ts'
import { useSession } from '../../../api/session.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import styles from '../AccountCards.module.css'
import { failureText } from '../failure-text.ts'
import { confirmWithPasskey, hasPasskeys } from '../passkeys/passkey-ceremonies.ts'
import { describePasskeyFailure } from '../passkeys/passkey-failure.ts'
import { usePasskeys } from '../passkeys/queries.ts'
import { CodeField } from '../two-factor/CodeField.tsx'
import { useTwoFactor } from '../two-factor/queries.ts'
import { confirmWithPassword } from './confirm-with-password.ts'

interface ReauthenticationFormProps {
  readonly onConfirmed: () => void
  /** Gives up; with the reason where it isn't the user's wish. */
  readonly onCancel: (reason?: Error) => void
}

type Way = 'password' | 'passkey'

/** Asks for what signing in would take: the password with a code if that is on, or a passkey. */
export function ReauthenticationForm({ onConfirmed, onCancel }: ReauthenticationFormProps) {
  const { email = '' } = useSession()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState<Way>()
  const [problem, setProblem] = useState<string>()
  const [wantsCode, setWantsCode] = useState(false)
  const isRunning = useRef(false)
  const twoFactor = useTwoFactor()
  const passkeys = usePasskeys()
  const asksCode = wantsCode || twoFactor.data?.isEnabled === true
  const offersPasskey = hasPasskeys() && passkeys.data?.available === true && passkeys.data.passkeys.length > 0

  async function run(way: Way, confirm: () => Promise<unknown>) {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(way)
    setProblem(undefined)
    try {
      await confirm()
      onConfirmed()
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return onCancel(error)
      if (error instanceof ApiError && error.body?.code === 'wrong_code') setWantsCode(true)
      setProblem(describe(way, error))
    } finally {
      isRunning.current = false
      setBusy(undefined)
    }
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    void run('password', () => confirmWithPassword(password, asksCode ? code : ''))
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.text}>It’s been a while since you signed in. Confirm your password to continue.</p>
      {problem && <Notice tone="error" text={problem} />}
      {/* Password managers look for it. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        data-autofocus
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {asksCode && (
        <CodeField
          description="From your authenticator app, or a recovery code"
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          inputMode="text"
          value={code}
          onChange={setCode}
        />
      )}
      {offersPasskey && (
        <>
          <Divider label="or" />
          <BusyButton
            variant="default"
            fullWidth
            leftSection={<IconFingerprint size={18} stroke={1.75} />}
            loading={busy === 'passkey'}
            disabled={busy === 'password'}
            onClick={() => void run('passkey', confirmWithPasskey)}
          >
            Use a passkey
          </BusyButton>
        </>
      )}
      <Group className={styles.end} gap="xs">
        <Button variant="subtle" onClick={() => onCancel()}>
          Cancel
        </Button>
        <BusyButton type="submit" loading={busy === 'password'} disabled={busy === 'passkey'}>
          Confirm
        </BusyButton>
      </Group>
    </form>
  )
}

function describe(way: Way, error: unknown): string | undefined {
  const otherwise = 'This couldn’t be confirmed. Try again.'
  return way === 'passkey'
    ? describePasskeyFailure(error, otherwise)
    : failureText(error, otherwise, 'The server can’t be reached. Check your connection, then try again.')
}
