import { MAX_PASSKEY_NAME } from '@alcove/contract/limits'
import { type Passkey, renamePasskey } from '@alcove/contract/passkeys'
import { Button, Group, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useAction, useCall } from '../../../api/use-call.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { notifySuccess } from '../../../ui/toasts/notify.tsx'
import { failureText } from '../failure-text.ts'
import { PasswordStep } from '../PasswordStep.tsx'
import { passkeysKey } from '../queries.ts'
import { createPasskey, describePasskeyFailure } from './passkey-ceremonies.ts'

export function openAddPasskeyModal(): void {
  const modalId = openDialog({
    title: 'Add a passkey',
    size: 420,
    children: <AddPasskeyForm onClose={() => modals.close(modalId)} />,
  })
}

function AddPasskeyForm({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const add = useAction(async (password: string) => {
    const passkey = await createPasskey({ password, name })
    await queryClient.invalidateQueries({ queryKey: passkeysKey })
    notifySuccess(`Passkey “${passkey.name}” added.`)
    onClose()
  })

  return (
    <PasswordStep
      text="Enter your password first. Your browser then asks where to store the passkey."
      textWithoutPassword="Your browser asks where to store the passkey."
      verb="Continue"
      isBusy={add.isPending}
      problem={add.error ? describePasskeyFailure(add.error, 'Couldn’t add the passkey.') : undefined}
      onSubmit={(password) => add.mutate(password)}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="For example, the device it is on. You can leave it empty."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        autoComplete="off"
        dir="auto"
        maxLength={MAX_PASSKEY_NAME}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </PasswordStep>
  )
}

export function openRenamePasskeyModal(passkey: Passkey): void {
  const modalId = openDialog({
    title: 'Rename the passkey',
    size: 420,
    children: <RenamePasskeyForm passkey={passkey} onClose={() => modals.close(modalId)} />,
  })
}

interface RenamePasskeyFormProps {
  readonly passkey: Passkey
  readonly onClose: () => void
}

function RenamePasskeyForm({ passkey, onClose }: RenamePasskeyFormProps) {
  const rename = useCall(renamePasskey)
  const queryClient = useQueryClient()
  const [name, setName] = useState(passkey.name)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    rename.mutate(
      { id: passkey.id, name },
      {
        onSuccess: () => {
          void queryClient.invalidateQueries({ queryKey: passkeysKey })
          onClose()
        },
      },
    )
  }

  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        label="Name"
        data-autofocus
        autoComplete="off"
        dir="auto"
        maxLength={MAX_PASSKEY_NAME}
        value={name}
        error={rename.isError && failureText(rename.error, 'Couldn’t rename the passkey.')}
        errorProps={{ role: 'alert' }}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" loading={rename.isPending}>
          Rename
        </BusyButton>
      </Group>
    </form>
  )
}
