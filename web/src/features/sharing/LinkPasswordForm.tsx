import { linkPassword } from '@alcove/contract/sharing'
import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { notifySuccess } from '../../ui/toasts/notify.tsx'
import styles from './LinkOptions.module.css'

interface LinkPasswordFormProps {
  readonly hasPassword: boolean
  readonly onChange: (password: string | null) => Promise<unknown>
}

/** Sets, changes and removes the password of a link. */
export function LinkPasswordForm({ hasPassword, onChange }: LinkPasswordFormProps) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function change(next: string | null) {
    setBusy(true)
    const isDone = await onChange(next)
    setBusy(false)
    if (!isDone) return
    setPassword('')
    notifySuccess(next === null ? 'Password removed.' : 'Password set.')
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const { error } = linkPassword.safeParse(password)
    setProblem(error?.issues[0]?.message)
    if (!error && !isBusy) void change(password)
  }

  return (
    <form className={styles.option} onSubmit={submit} noValidate>
      <PasswordInput
        className={styles.field}
        label={hasPassword ? 'New password' : 'Password'}
        description={
          hasPassword ? 'Whoever opens the link is asked for the password.' : 'Without one, the link is enough.'
        }
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        autoComplete="new-password"
        value={password}
        error={problem}
        onChange={(event) => {
          setPassword(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      <div className={styles.buttons}>
        <Button type="submit" variant="default" loading={isBusy}>
          {hasPassword ? 'Change Password' : 'Set Password'}
        </Button>
        {hasPassword && (
          <Button variant="subtle" disabled={isBusy} onClick={() => void change(null)}>
            Remove
          </Button>
        )}
      </div>
    </form>
  )
}
