import type { Passkey } from '@alcove/contract/passkeys'
import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { formatDay, formatMoment } from '../../../lib/format.ts'
import { confirm } from '../../../ui/dialogs/confirm.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import styles from '../AccountCards.module.css'
import { failureText } from '../failure-text.ts'
import { askForPasskeyName } from './dialogs.ts'
import { passkeysKey, useRemovePasskey } from './queries.ts'

interface PasskeyRowProps {
  readonly passkey: Passkey
  /** Called when it has gone, and with it the button that had the focus. */
  readonly onRemoved: () => void
}

export function PasskeyRow({ passkey, onRemoved }: PasskeyRowProps) {
  const { name, createdAt, lastUsedAt, isSynced } = passkey
  const removal = useRemovePasskey()
  const queryClient = useQueryClient()

  async function remove() {
    const isSure = await confirm({
      question: `Remove the passkey “${name}”?`,
      detail: 'It will no longer sign you in. Delete it from your device or password manager as well.',
      verb: 'Remove',
    })
    if (!isSure) return
    removal.mutate(
      { id: passkey.id },
      {
        onSuccess: ({ message }) => {
          onRemoved()
          notifySuccess(message)
        },
        onError: (error) => notifyError(failureText(error, 'The passkey could not be removed.')),
        onSettled: () => void queryClient.invalidateQueries({ queryKey: passkeysKey }),
      },
    )
  }

  return (
    <li className={styles.row}>
      <span className={styles.plate} aria-hidden>
        <IconFingerprint size={18} stroke={1.75} />
      </span>
      <div className={styles.what}>
        <div className={styles.name} dir="auto">
          {name}
          {isSynced && <span className={styles.badge}>Synced</span>}
        </div>
        <div className={styles.meta}>
          <span title={formatMoment(createdAt)}>Added {formatDay(createdAt)}</span>
          {' · '}
          {lastUsedAt ? (
            <span title={formatMoment(lastUsedAt)}>last used {formatDay(lastUsedAt)}</span>
          ) : (
            'not used yet'
          )}
        </div>
      </div>
      <div className={styles.rowActions}>
        <IconButton label={`Rename ${name}`} onClick={() => askForPasskeyName(passkey)}>
          <IconPencil size={18} stroke={1.75} />
        </IconButton>
        <IconButton label={`Remove ${name}`} loading={removal.isPending} onClick={() => void remove()}>
          <IconTrash size={18} stroke={1.75} />
        </IconButton>
      </div>
    </li>
  )
}
