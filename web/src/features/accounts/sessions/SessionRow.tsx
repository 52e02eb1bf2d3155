import type { Session } from '@alcove/contract/sessions'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { formatMoment } from '../../../lib/format.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import styles from '../AccountCards.module.css'
import { failureText } from '../failure-text.ts'
import { describeLastUse, isHandheld } from './last-use.ts'
import { sessionsKey, useEndSession } from './queries.ts'

interface SessionRowProps {
  readonly session: Session
  /** Called when it is over, and the button that had the focus about to go. */
  readonly onEnded: () => void
}

export function SessionRow({
  session: { id, device, ip, createdAt, lastUsedAt, isCurrent },
  onEnded,
}: SessionRowProps) {
  const end = useEndSession()
  const queryClient = useQueryClient()
  const Icon = isHandheld(device) ? IconDeviceMobile : IconDeviceDesktop
  const lastUse = isCurrent ? 'Active now' : describeLastUse(lastUsedAt)

  function signOut() {
    end.mutate(
      { id },
      {
        onSuccess: ({ message }) => {
          onEnded()
          notifySuccess(message)
        },
        onError: (error) => notifyError(failureText(error, 'This session could not be ended.')),
        onSettled: () => void queryClient.invalidateQueries({ queryKey: sessionsKey }),
      },
    )
  }

  return (
    <li className={styles.row}>
      <span className={styles.plate} aria-hidden>
        <Icon size={18} stroke={1.75} />
      </span>
      <div className={styles.what}>
        <div className={styles.name}>
          {device}
          {isCurrent && <span className={styles.badge}>This device</span>}
        </div>
        <div className={styles.meta}>
          <span title={`Last used ${formatMoment(lastUsedAt)}, signed in ${formatMoment(createdAt)}`}>{lastUse}</span>
          {ip && ` · ${ip}`}
        </div>
      </div>
      {!isCurrent && (
        <BusyButton
          variant="default"
          size="xs"
          aria-label={`Sign out ${device}, ${lastUse}`}
          loading={end.isPending}
          onClick={signOut}
        >
          Sign out
        </BusyButton>
      )}
    </li>
  )
}
