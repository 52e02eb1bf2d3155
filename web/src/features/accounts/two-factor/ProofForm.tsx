import { Button, Group, PasswordInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import styles from '../AccountCards.module.css'
import { failureText } from '../failure-text.ts'
import { CodeField } from './CodeField.tsx'

interface ProofFormProps {
  readonly text: string
  readonly verb: string
  readonly color?: string
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onSubmit: (proof: { password: string; code: string }) => void
  readonly onClose: () => void
}

/** Asks for both factors, before one of them is given up or replaced. */
export function ProofForm({ text, verb, color, isBusy, error, onSubmit, onClose }: ProofFormProps) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')

  function submit(event: SubmitEvent) {
    event.preventDefault()
    onSubmit({ password, code })
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.text}>{text}</p>
      {error && <Notice tone="error" text={failureText(error, 'An error occurred.')} />}
      <PasswordInput
        label="Current Password"
        autoComplete="current-password"
        data-autofocus
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <CodeField
        description="Of your authenticator app, or a recovery code"
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        inputMode="text"
        value={code}
        onChange={setCode}
      />
      <Group className={styles.end} gap="xs">
        <Button variant="subtle" disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" color={color} loading={isBusy}>
          {verb}
        </BusyButton>
      </Group>
    </form>
  )
}
