import { disableTwoFactor, renewRecoveryCodes } from '@alcove/contract/two-factor'
import { modals } from '@mantine/modals'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '../../../api/use-call.ts'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { notifySuccess } from '../../../ui/toasts/notify.tsx'
import { failureText } from '../failure-text.ts'
import { holdDialog } from '../hold-dialog.ts'
import { PasswordStep } from '../PasswordStep.tsx'
import { twoFactorKey } from '../queries.ts'
import { CodeField } from './CodeField.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

export function openTurnOffTwoFactorModal(): void {
  const modalId = openDialog({
    title: 'Turn off two-factor sign-in?',
    size: 420,
    children: <TurnOffForm onClose={() => modals.close(modalId)} />,
  })
}

function TurnOffForm({ onClose }: { readonly onClose: () => void }) {
  const disable = useCall(disableTwoFactor)
  const queryClient = useQueryClient()
  return (
    <BothFactorsForm
      text="Your password alone will sign you in again, and your recovery codes will no longer work."
      verb="Turn off"
      color="brick"
      isBusy={disable.isPending}
      error={disable.error}
      onSubmit={(factors) =>
        disable.mutate(factors, {
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

export function openNewRecoveryCodesModal(): void {
  const modalId = openDialog({
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
  const renew = useCall(renewRecoveryCodes)
  const queryClient = useQueryClient()
  if (renew.data) return <RecoveryCodes codes={renew.data.recoveryCodes} onClose={onClose} />
  return (
    <BothFactorsForm
      text="Your current recovery codes will no longer work."
      verb="Create new codes"
      isBusy={renew.isPending}
      error={renew.error}
      onSubmit={(factors) => {
        onHold(true)
        renew.mutate(factors, {
          onSuccess: () => void queryClient.invalidateQueries({ queryKey: twoFactorKey }),
          onError: () => onHold(false),
        })
      }}
      onClose={onClose}
    />
  )
}

interface BothFactorsFormProps {
  readonly text: string
  readonly verb: string
  readonly color?: string
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onSubmit: (factors: { password: string; code: string }) => void
  readonly onClose: () => void
}

/** Asks for both factors, before one of them is turned off or replaced. */
function BothFactorsForm({ error, onSubmit, ...step }: BothFactorsFormProps) {
  const [code, setCode] = useState('')
  return (
    <PasswordStep
      {...step}
      problem={error ? failureText(error, 'An error occurred.') : undefined}
      onSubmit={(password) => onSubmit({ password, code })}
    >
      <CodeField
        description="From your authenticator app, or a recovery code"
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        inputMode="text"
        value={code}
        onChange={setCode}
      />
    </PasswordStep>
  )
}
