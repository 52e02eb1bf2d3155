import { modals } from '@mantine/modals'
import { useQueryClient } from '@tanstack/react-query'
import { notifySuccess } from '../../../ui/toasts/notify.tsx'
import { ProofForm } from './ProofForm.tsx'
import { twoFactorKey, useDisableTwoFactor } from './queries.ts'

export function openTurnOffTwoFactorModal(): void {
  const modalId = modals.open({
    title: 'Turn off two-factor sign-in?',
    size: 420,
    children: <TurnOffForm onClose={() => modals.close(modalId)} />,
  })
}

function TurnOffForm({ onClose }: { readonly onClose: () => void }) {
  const disable = useDisableTwoFactor()
  const queryClient = useQueryClient()
  return (
    <ProofForm
      text="Your password alone will sign you in again, and your recovery codes will no longer work."
      verb="Turn off"
      color="brick"
      isBusy={disable.isPending}
      error={disable.error}
      onSubmit={(proof) =>
        disable.mutate(proof, {
          onSuccess: ({ message }) => {
            void queryClient.invalidateQueries({ queryKey: twoFactorKey })
            notifySuccess(message)
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}
