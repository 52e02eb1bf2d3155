import { Stack } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useFinishLogin } from '../sign-in/use-finish-login.ts'
import { signInWithPasskey } from './passkey-ceremonies.ts'
import { describePasskeyFailure } from './passkey-failure.ts'

/** The other way to sign in. */
export function PasskeyLogin() {
  const finish = useFinishLogin()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isRunning = useRef(false)

  async function signIn() {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setProblem(undefined)
    try {
      finish(await signInWithPasskey())
    } catch (error) {
      setProblem(describePasskeyFailure(error, 'Signing in with a passkey failed.'))
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }

  return (
    <Stack gap={10}>
      <BusyButton
        variant="subtle"
        size="md"
        fullWidth
        leftSection={<IconFingerprint size={20} stroke={1.75} />}
        loading={isBusy}
        onClick={() => void signIn()}
      >
        Sign in with a passkey
      </BusyButton>
      {problem && <Notice tone="error" text={problem} />}
    </Stack>
  )
}
