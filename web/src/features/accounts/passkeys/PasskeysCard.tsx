import type { OutputOf } from '@alcove/contract/call'
import { type listPasskeys, type Passkey, removePasskey } from '@alcove/contract/passkeys'
import { Button } from '@mantine/core'
import { IconFingerprint, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useCall } from '../../../api/use-call.ts'
import { formatDay, formatMoment } from '../../../lib/format.ts'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { confirm, openLater } from '../../../ui/dialogs/dialogs.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import styles from '../AccountCards.module.css'
import { failureText } from '../failure-text.ts'
import { QueryCard } from '../QueryCard.tsx'
import { passkeysKey, usePasskeys } from '../queries.ts'
import { hasPasskeys } from './passkey-ceremonies.ts'

const passkeyModals = lazyModule(() => import('./PasskeyModals.tsx'))

/** Lists the passkeys of the account. With one of them the user signs in without a password. */
export function PasskeysCard() {
  const passkeysQuery = usePasskeys()
  const addButton = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)
  return (
    <QueryCard title="Passkeys" query={passkeysQuery} failure="Couldn’t load your passkeys.">
      {(response) => {
        const { passkeys } = response
        const obstacle = findObstacle(response)
        return (
          <div className={styles.body}>
            {passkeys.length === 0 ? (
              <p className={styles.text}>
                Sign in with your fingerprint, your face or the PIN of your device. There is no password to type or to
                steal.
              </p>
            ) : (
              <ul ref={list} className={styles.rows} tabIndex={-1} aria-label="Your passkeys">
                {passkeys.map((passkey) => (
                  <PasskeyRow
                    key={passkey.id}
                    passkey={passkey}
                    onRemoved={() => (addButton.current ?? list.current)?.focus()}
                  />
                ))}
              </ul>
            )}
            {obstacle ? (
              <p className={styles.text}>{obstacle}</p>
            ) : (
              <Button
                ref={addButton}
                variant="default"
                leftSection={<IconPlus size={18} stroke={1.75} />}
                onClick={() => void openLater(passkeyModals, ({ openAddPasskeyModal }) => openAddPasskeyModal())}
              >
                Add a passkey
              </Button>
            )}
          </div>
        )
      }}
    </QueryCard>
  )
}

/** Returns why no passkey can be added here, or undefined. */
function findObstacle({ available, reason }: OutputOf<typeof listPasskeys>): string | undefined {
  if (!available) return reason ?? 'Passkeys aren’t available at this address.'
  return hasPasskeys() ? undefined : 'This browser doesn’t support passkeys.'
}

interface PasskeyRowProps {
  readonly passkey: Passkey
  /** Called when the passkey is removed, and with it the focused button. */
  readonly onRemoved: () => void
}

function PasskeyRow({ passkey, onRemoved }: PasskeyRowProps) {
  const { name, createdAt, lastUsedAt, isSynced } = passkey
  const removal = useCall(removePasskey)
  const queryClient = useQueryClient()
  const openRename = () => openLater(passkeyModals, ({ openRenamePasskeyModal }) => openRenamePasskeyModal(passkey))

  async function remove() {
    const isConfirmed = await confirm({
      question: `Remove the passkey “${name}”?`,
      detail: 'It will no longer sign you in. Delete it from your device or password manager as well.',
      verb: 'Remove',
    })
    if (!isConfirmed) return
    removal.mutate(
      { id: passkey.id },
      {
        onSuccess: ({ message }) => {
          onRemoved()
          notifySuccess(message)
        },
        onError: (error) => notifyError(failureText(error, 'Couldn’t remove the passkey.')),
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
        <IconButton label={`Rename ${name}`} onClick={() => void openRename()}>
          <IconPencil size={18} stroke={1.75} />
        </IconButton>
        <IconButton label={`Remove ${name}`} loading={removal.isPending} onClick={() => void remove()}>
          <IconTrash size={18} stroke={1.75} />
        </IconButton>
      </div>
    </li>
  )
}
