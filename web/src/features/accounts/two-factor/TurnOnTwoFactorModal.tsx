import { modals } from '@mantine/modals'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '../failure-text.ts'
import { holdDialog } from '../hold-dialog.ts'
import { PasswordStep } from '../PasswordStep.tsx'
import { twoFactorKey, useBeginTwoFactor } from './queries.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { ScanStep } from './ScanStep.tsx'

/** Switches two-factor sign-in on: the password, the secret for the app with a code made of it, the recovery codes. */
export function openTurnOnTwoFactorModal(): void {
  const modalId = modals.open({
    title: 'Turn on two-factor sign-in',
    size: 480,
    children: <TurnOnSteps onHold={(isHeld) => holdDialog(modalId, isHeld)} onClose={() => modals.close(modalId)} />,
  })
}

interface TurnOnStepsProps {
  /** Told when the dialog has to stay, because it shows, or waits for, what is shown this once. */
  readonly onHold: (isHeld: boolean) => void
  readonly onClose: () => void
}

function TurnOnSteps({ onHold, onClose }: TurnOnStepsProps) {
  const begin = useBeginTwoFactor()
  const queryClient = useQueryClient()
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()

  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onClose={onClose} />
  if (begin.data)
    return (
      <ScanStep
        {...begin.data}
        onHold={onHold}
        onEnabled={(codes) => {
          setRecoveryCodes(codes)
          void queryClient.invalidateQueries({ queryKey: twoFactorKey })
        }}
        onClose={onClose}
      />
    )
  return (
    <PasswordStep
      text="You need an authenticator app on your phone, such as Aegis, Google Authenticator or 1Password. First, your password."
      verb="Continue"
      isBusy={begin.isPending}
      problem={begin.error ? failureText(begin.error, 'An error occurred.') : undefined}
      onSubmit={(password) => begin.mutate({ password })}
      onClose={onClose}
    />
  )
}
