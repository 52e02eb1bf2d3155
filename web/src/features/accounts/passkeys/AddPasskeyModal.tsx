import { MAX_PASSKEY_NAME } from '@alcove/contract/limits'
import { TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { notifySuccess } from '../../../ui/toasts/notify.tsx'
import { PasswordStep } from '../PasswordStep.tsx'
import { createPasskey } from './passkey-ceremonies.ts'
import { describePasskeyFailure } from './passkey-failure.ts'
import { passkeysKey } from './queries.ts'

export function openAddPasskeyModal(): void {
  const modalId = modals.open({
    title: 'Add a passkey',
    size: 420,
    children: <AddPasskeyForm onClose={() => modals.close(modalId)} />,
  })
}

function AddPasskeyForm({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isRunning = useRef(false)

  async function add(password: string) {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setProblem(undefined)
    try {
      const passkey = await createPasskey({ password, name })
      await queryClient.invalidateQueries({ queryKey: passkeysKey })
      notifySuccess(`Passkey “${passkey.name}” added.`)
      onClose()
    } catch (error) {
      setProblem(describePasskeyFailure(error, 'The passkey could not be added.'))
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }

  return (
    <PasswordStep
      text="Your password first. Then your browser asks where to keep the passkey."
      verb="Continue"
      isBusy={isBusy}
      problem={problem}
      onSubmit={(password) => void add(password)}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Such as the device that it is on. You can leave it empty."
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
