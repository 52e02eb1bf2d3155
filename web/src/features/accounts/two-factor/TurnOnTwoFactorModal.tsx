import { beginTwoFactor, enableTwoFactor } from '@alcove/contract/two-factor'
import { Button, Group } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconCopy } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useCall } from '../../../api/use-call.ts'
import { copyText } from '../../../lib/copy-text.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { QrCode } from '../../../ui/QrCode.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import cardStyles from '../AccountCards.module.css'
import { failureText } from '../failure-text.ts'
import { holdDialog } from '../hold-dialog.ts'
import { PasswordStep } from '../PasswordStep.tsx'
import { twoFactorKey } from '../queries.ts'
import { CodeField } from './CodeField.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { groupSecret } from './secret-text.ts'
import styles from './TurnOnTwoFactorModal.module.css'

/** Turns two-factor sign-in on in three steps: the password, the authenticator app, the recovery codes. */
export function openTurnOnTwoFactorModal(): void {
  const modalId = openDialog({
    title: 'Turn on two-factor sign-in',
    size: 480,
    children: <TurnOnSteps onHold={(isHeld) => holdDialog(modalId, isHeld)} onClose={() => modals.close(modalId)} />,
  })
}

interface TurnOnStepsProps {
  /** Called with whether the dialog must stay open, see `holdDialog`. */
  readonly onHold: (isHeld: boolean) => void
  readonly onClose: () => void
}

function TurnOnSteps({ onHold, onClose }: TurnOnStepsProps) {
  const begin = useCall(beginTwoFactor)
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
      textWithoutPassword="You need an authenticator app on your phone, such as Aegis, Google Authenticator or 1Password."
      verb="Continue"
      isBusy={begin.isPending}
      problem={begin.error ? failureText(begin.error, 'An error occurred.') : undefined}
      onSubmit={(password) => begin.mutate({ password })}
      onClose={onClose}
    />
  )
}

interface ScanStepProps {
  readonly secret: string
  readonly uri: string
  readonly onHold: (isHeld: boolean) => void
  readonly onEnabled: (recoveryCodes: readonly string[]) => void
  readonly onClose: () => void
}

/** Shows the secret for the authenticator app, and asks for a code that proves that the app has it. */
function ScanStep({ secret, uri, onHold, onEnabled, onClose }: ScanStepProps) {
  const enable = useCall(enableTwoFactor)
  const [code, setCode] = useState('')

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (code.trim() === '') return
    onHold(true)
    enable.mutate(
      { code },
      { onSuccess: ({ recoveryCodes }) => onEnabled(recoveryCodes), onError: () => onHold(false) },
    )
  }

  async function copy() {
    if (await copyText(secret)) notifySuccess('Secret copied!')
    else notifyError('This browser doesn’t allow copying.')
  }

  return (
    <form className={cardStyles.form} onSubmit={submit} noValidate>
      <p className={cardStyles.text}>
        Scan this with your authenticator app, then enter the six-digit code that it shows.
      </p>
      <div className={styles.qr}>
        <QrCode text={uri} label="QR code for your authenticator app" />
      </div>
      <div className={styles.secret}>
        <div>
          <div className={cardStyles.hint}>Or type this secret into the app:</div>
          <code className={styles.letters}>{groupSecret(secret)}</code>
        </div>
        <IconButton label="Copy the secret" onClick={() => void copy()}>
          <IconCopy size={18} stroke={1.75} />
        </IconButton>
      </div>
      <a className={styles.sameDevice} href={uri}>
        Open the app on this device
      </a>
      <CodeField
        autoFocus
        value={code}
        error={enable.isError && failureText(enable.error, 'An error occurred.')}
        errorProps={{ role: 'alert' }}
        onChange={setCode}
      />
      <Group className={cardStyles.end} gap="xs">
        <Button variant="subtle" disabled={enable.isPending} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" loading={enable.isPending} disabled={code.trim() === ''}>
          Turn on
        </BusyButton>
      </Group>
    </form>
  )
}
