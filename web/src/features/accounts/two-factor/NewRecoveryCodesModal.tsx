import { modals } from '@mantine/modals'
import { useQueryClient } from '@tanstack/react-query'
import { holdDialog } from '../hold-dialog.ts'
import { ProofForm } from './ProofForm.tsx'
import { twoFactorKey, useRenewRecoveryCodes } from './queries.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'

export function openNewRecoveryCodesModal(): void {
  const modalId = modals.open({
    title: 'New recovery codes',
    size: 480,
    children: <NewCodes onHold={(isHeld) => holdDialog(modalId, isHeld)} onClose={() => modals.close(modalId)} />,
  })
}

interface NewCodesProps {
  readonly onHold: (isHeld: boolean) => void
  readonly onClose: () => void
}

function NewCodes({ onHold, onClose }: NewCodesProps) {
  const renew = useRenewRecoveryCodes()
  const queryClient = useQueryClient()
  if (renew.data) return <RecoveryCodes codes={renew.data.recoveryCodes} onClose={onClose} />
  return (
    <ProofForm
      text="The codes that you have now will no longer work."
      verb="Make new codes"
      isBusy={renew.isPending}
      error={renew.error}
      onSubmit={(proof) => {
        onHold(true)
        renew.mutate(proof, {
          onSuccess: () => void queryClient.invalidateQueries({ queryKey: twoFactorKey }),
          onError: () => onHold(false),
        })
      }}
      onClose={onClose}
    />
  )
}
