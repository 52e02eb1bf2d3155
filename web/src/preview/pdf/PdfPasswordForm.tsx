import { Button, PasswordInput } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import styles from './PdfPasswordForm.module.css'

interface PdfPasswordFormProps {
  readonly isWrong: boolean
  readonly onSubmit: (password: string) => void
}

/** Asks for the password of a protected PDF. It stays in the browser. */
export function PdfPasswordForm({ isWrong, onSubmit }: PdfPasswordFormProps) {
  const [password, setPassword] = useState('')

  function submit(event: FormEvent) {
    event.preventDefault()
    if (password) onSubmit(password)
  }

  return (
    <form className={styles.form} onSubmit={submit}>
      <IconLock size={32} stroke={1.5} aria-hidden />
      <p className={styles.text}>This PDF is protected by a password.</p>
      <PasswordInput
        label="Password"
        value={password}
        autoFocus
        autoComplete="off"
        error={isWrong ? 'This is not the password.' : undefined}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" fullWidth mt="md">
        Open
      </Button>
    </form>
  )
}
