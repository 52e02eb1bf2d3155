import { MAX_PASSKEY_NAME } from '@alcove/contract/limits'
import type { Passkey } from '@alcove/contract/passkeys'
import { Button, Group, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { failureText } from '../failure-text.ts'
import { passkeysKey, useRenamePasskey } from './queries.ts'

export function openRenamePasskeyModal(passkey: Passkey): void {
  const modalId = modals.open({
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
  const rename = useRenamePasskey()
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
        error={rename.isError && failureText(rename.error, 'The passkey could not be renamed.')}
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
