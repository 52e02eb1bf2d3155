import { endOtherSessions, endSession, listSessions, type Session } from '@alcove/contract/sessions'
import { IconDeviceDesktop, IconDeviceMobile, IconLogout } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { send } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import { formatMoment } from '../../../lib/format.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import styles from '../AccountCards.module.css'
import { failureText } from '../failure-text.ts'
import { QueryCard } from '../QueryCard.tsx'
import { describeLastUse, isHandheld } from './last-use.ts'

const sessionsKey = ['accounts', 'sessions']

/** Lists where the user is signed in, and signs out there. */
export function SessionsCard() {
  const sessions = useQuery({
    queryKey: sessionsKey,
    queryFn: async ({ signal }) => (await send(listSessions, {}, { signal })).sessions,
  })
  const list = useRef<HTMLUListElement>(null)
  const focusList = () => list.current?.focus()
  return (
    <QueryCard title="Sessions" query={sessions} failure="Couldn’t load your sessions.">
      {(sessions) => (
        <div className={styles.body}>
          <ul ref={list} className={styles.rows} tabIndex={-1} aria-label="Where you are signed in">
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} onEnded={focusList} />
            ))}
          </ul>
          {sessions.length > 1 && <EndOthersButton onEnded={focusList} />}
        </div>
      )}
    </QueryCard>
  )
}

interface SessionRowProps {
  readonly session: Session
  /** Called when the session has ended, before its row and the focused button in it are removed. */
  readonly onEnded: () => void
}

function SessionRow({ session: { id, device, ip, createdAt, lastUsedAt, isCurrent }, onEnded }: SessionRowProps) {
  const end = useCall(endSession)
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
        onError: (error) => notifyError(failureText(error, 'Couldn’t end this session.')),
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

function EndOthersButton({ onEnded }: { readonly onEnded: () => void }) {
  const end = useCall(endOtherSessions)
  const queryClient = useQueryClient()

  async function signOut() {
    const isConfirmed = await confirm({
      question: 'Sign out everywhere else?',
      detail: 'Every other browser and device has to sign in again. Uploads that run there stop.',
      verb: 'Sign out everywhere else',
      icon: <IconLogout size={20} stroke={1.75} />,
    })
    if (!isConfirmed) return
    end.mutate(
      {},
      {
        onSuccess: ({ message }) => {
          onEnded()
          notifySuccess(message)
        },
        onError: (error) => notifyError(failureText(error, 'Couldn’t end the other sessions.')),
        onSettled: () => void queryClient.invalidateQueries({ queryKey: sessionsKey }),
      },
    )
  }

  return (
    <BusyButton variant="default" loading={end.isPending} onClick={() => void signOut()}>
      Sign out everywhere else
    </BusyButton>
  )
}
