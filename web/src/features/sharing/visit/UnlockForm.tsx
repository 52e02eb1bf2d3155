import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../../api/api.ts'
import { PadlockNiche } from '../../../ui/art/niches.tsx'
import styles from './LinkMessage.module.css'
import { useUnlock } from './queries.ts'

interface UnlockFormProps {
  readonly token: string
  /** The link had been opened before: its password is another one now, or it was too long ago. */
  readonly wasOpen: boolean
  readonly onUnlock: (access: string) => void
}

/** Asks for a link's password. What it shares is not told before, not even its name. */
export function UnlockForm({ token, wasOpen, onUnlock }: UnlockFormProps) {
  const { mutate, isPending } = useUnlock()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (password === '') return setProblem('Enter the password.')
    mutate(
      { token, password },
      {
        onSuccess: ({ access }) => onUnlock(access),
        onError: (error) => setProblem((error instanceof ApiError && error.text) || 'The link could not be opened.'),
      },
    )
  }

  return (
    <div className={styles.message}>
      <PadlockNiche className={styles.art} />
      <h1 className={styles.title}>This link needs a password</h1>
      <p className={styles.text}>
        {wasOpen ? 'Please enter it again to go on.' : 'Whoever sent you the link can tell you.'}
      </p>
      <form className={styles.form} onSubmit={submit} noValidate>
        <PasswordInput
          label="Password"
          size="md"
          autoFocus
          autoComplete="off"
          value={password}
          error={problem}
          onChange={(event) => {
            setPassword(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
        <Button type="submit" size="lg" loading={isPending}>
          Open
        </Button>
      </form>
    </div>
  )
}
