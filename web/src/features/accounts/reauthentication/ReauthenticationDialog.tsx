import { reauthenticate } from '@alcove/contract/reauthentication'
import { Button, Divider, Group, Modal, PasswordInput } from '@mantine/core'
import { IconFingerprint, IconLogin2 } from '@tabler/icons-react'
import { type FocusEvent, type KeyboardEvent, type SubmitEvent, useEffect, useState } from 'react'
import { ApiError, send } from '../../../api/api.ts'
import { useSession } from '../../../api/session.ts'
import { useAction } from '../../../api/use-call.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { useDialog } from '../../../ui/dialogs/open-layers.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { topDialogBody, useToastPlace } from '../../../ui/toasts/toasts.ts'
import styles from '../AccountCards.module.css'
import { failureText } from '../failure-text.ts'
import { confirmWithPasskey, describePasskeyFailure, hasPasskeys } from '../passkeys/passkey-ceremonies.ts'
import { usePasskeys, useTwoFactor } from '../queries.ts'
import { onConfirmation, openConfirmationWindow } from '../single-sign-on/confirmation-window.ts'
import { useSignInMethods } from '../single-sign-on/queries.ts'
import { CodeField } from '../two-factor/CodeField.tsx'

/** A confirmation that a call waits for. */
export interface PendingConfirmation {
  readonly confirm: () => void
  /** Gives up: with the reason, or without one if the user cancelled. */
  readonly cancel: (reason?: Error) => void
}

interface ReauthenticationDialogProps {
  /** Undefined while the dialog is closed. */
  readonly confirmation: PendingConfirmation | undefined
}

/** Above the other dialogs, one of which may have made the call, and below the overlay of an expired session. */
const Z_INDEX = 250

/**
 * The dialog in which the user confirms who they are. It may open above another dialog. All of Mantine's dialogs listen for
 * Escape, so this one handles the key itself and keeps it from the others.
 */
export function ReauthenticationDialog({ confirmation }: ReauthenticationDialogProps) {
  const dialog = useDialog(confirmation !== undefined, () => confirmation?.cancel())
  useToastPlace(confirmation !== undefined, topDialogBody)

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) confirmation?.cancel()
  }

  return (
    <Modal
      {...dialog}
      title="Confirm it’s you"
      size={400}
      zIndex={Z_INDEX}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onKeyDown={onKeyDown}
      onFocusCapture={keepEscape}
    >
      {confirmation && <ReauthenticationForm onConfirmed={confirmation.confirm} onCancel={confirmation.cancel} />}
    </Modal>
  )
}

/** Keeps the dialogs below from handling Escape while an element of this dialog has the focus. */
function keepEscape({ target }: FocusEvent): void {
  target.setAttribute('data-mantine-stop-propagation', 'true')
}

interface ReauthenticationFormProps {
  readonly onConfirmed: () => void
  readonly onCancel: PendingConfirmation['cancel']
}

type Method = 'password' | 'passkey'

/** Asks for what signing in needs: the password, with a code if two-factor sign-in is on, or a passkey. */
function ReauthenticationForm({ onConfirmed, onCancel }: ReauthenticationFormProps) {
  const { email = '' } = useSession()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [isCodeRequired, setCodeRequired] = useState(false)
  const twoFactor = useTwoFactor()
  const passkeys = usePasskeys()
  const asksCode = isCodeRequired || twoFactor.data?.isEnabled === true
  const methods = useSignInMethods().data
  const hasPassword = methods?.hasPassword ?? true
  const linked = methods?.identities.filter(({ name }) => name !== null) ?? []
  useEffect(() => onConfirmation(onConfirmed), [onConfirmed])
  const offersPasskey = hasPasskeys() && passkeys.data?.available === true && passkeys.data.passkeys.length > 0
  const attempt = useAction(async (method: Method) => {
    if (method === 'passkey') await confirmWithPasskey()
    else await send(reauthenticate, { password, code: (asksCode && code.trim()) || undefined })
  })
  const busyMethod = attempt.isPending ? attempt.variables : undefined
  const problem = attempt.error ? describeFailure(attempt.error, attempt.variables) : undefined

  function confirm(method: Method) {
    attempt.mutate(method, {
      onSuccess: () => onConfirmed(),
      onError: (error) => {
        if (!(error instanceof ApiError)) return
        if (error.status === 401) onCancel(error)
        if (error.body?.code === 'wrong_code') setCodeRequired(true)
      },
    })
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    confirm('password')
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.text}>
        It’s been a while since you signed in. {hasPassword ? 'Confirm your password' : 'Confirm it’s you'} to continue.
      </p>
      {problem && <Notice tone="error" text={problem} />}
      {/* Password managers look for it. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      {hasPassword && (
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      {hasPassword && asksCode && (
        <CodeField
          description="From your authenticator app, or a recovery code"
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          inputMode="text"
          value={code}
          onChange={setCode}
        />
      )}
      {hasPassword && (offersPasskey || linked.length > 0) && <Divider label="or" />}
      {linked.map(({ id, name, provider }) => (
        <Button
          key={id}
          variant="default"
          fullWidth
          leftSection={<IconLogin2 size={18} stroke={1.75} />}
          onClick={() => openConfirmationWindow(name ?? '')}
        >
          Confirm with {provider}
        </Button>
      ))}
      {offersPasskey && (
        <BusyButton
          variant="default"
          fullWidth
          leftSection={<IconFingerprint size={18} stroke={1.75} />}
          loading={busyMethod === 'passkey'}
          disabled={busyMethod === 'password'}
          onClick={() => confirm('passkey')}
        >
          Use a passkey
        </BusyButton>
      )}
      <Group className={styles.end} gap="xs">
        <Button variant="subtle" onClick={() => onCancel()}>
          Cancel
        </Button>
        {hasPassword && (
          <BusyButton type="submit" loading={busyMethod === 'password'} disabled={busyMethod === 'passkey'}>
            Confirm
          </BusyButton>
        )}
      </Group>
    </form>
  )
}

function describeFailure(error: Error, method: Method | undefined): string | undefined {
  const fallback = 'This couldn’t be confirmed. Try again.'
  return method === 'passkey'
    ? describePasskeyFailure(error, fallback)
    : failureText(error, fallback, 'The server can’t be reached. Check your connection, then try again.')
}
