import { Button, Group } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { type SubmitEvent, useState } from 'react'
import { copyText } from '../../../lib/copy-text.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import cardStyles from '../AccountCards.module.css'
import { failureText } from '../failure-text.ts'
import { CodeField } from './CodeField.tsx'
import { QrCode } from './QrCode.tsx'
import { useEnableTwoFactor } from './queries.ts'
import styles from './ScanStep.module.css'
import { groupSecret } from './secret-text.ts'

interface ScanStepProps {
  readonly secret: string
  readonly uri: string
  readonly onHold: (isHeld: boolean) => void
  readonly onEnabled: (recoveryCodes: readonly string[]) => void
  readonly onClose: () => void
}

/** Hands the secret to the authenticator app, and takes a code as proof that it has arrived. */
export function ScanStep({ secret, uri, onHold, onEnabled, onClose }: ScanStepProps) {
  const enable = useEnableTwoFactor()
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
    else notifyError('This browser does not let the page copy.')
  }

  return (
    <form className={cardStyles.form} onSubmit={submit} noValidate>
      <p className={cardStyles.text}>Scan this with your authenticator app, then enter the six digits that it shows.</p>
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
