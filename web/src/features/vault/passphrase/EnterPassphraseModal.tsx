import { Button, Group, PasswordInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type SubmitEvent, useState } from 'react'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { PASSPHRASE_MISSING } from '../vault-texts.ts'

/** Asks for the passphrase. `onAnswer` gets undefined if the user cancels; only its first call counts. */
export function openEnterPassphraseModal(onAnswer: (passphrase: string | undefined) => void): void {
  const modalId = openDialog({
    title: 'Enter Passphrase',
    size: 420,
    onClose: () => onAnswer(undefined),
    children: (
      <PassphraseForm
        onSubmit={(passphrase) => {
          onAnswer(passphrase)
          modals.close(modalId)
        }}
        onCancel={() => modals.close(modalId)}
      />
    ),
  })
}

interface PassphraseFormProps {
  readonly onSubmit: (passphrase: string) => void
  readonly onCancel: () => void
}

function PassphraseForm({ onSubmit, onCancel }: PassphraseFormProps) {
  const [passphrase, setPassphrase] = useState('')
  const [problem, setProblem] = useState<string>()

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (passphrase === '') setProblem(PASSPHRASE_MISSING)
    else onSubmit(passphrase)
  }

  return (
    <form onSubmit={submit} noValidate>
      <PasswordInput
        label="Passphrase"
        description="It never leaves this browser."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        visibilityToggleButtonProps={{ 'aria-label': 'Show passphrase' }}
        autoComplete="off"
        data-autofocus
        value={passphrase}
        error={problem}
        onChange={(event) => {
          setPassphrase(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit">Submit</Button>
      </Group>
    </form>
  )
}
