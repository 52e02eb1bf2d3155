import { IconLogout } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Card } from '../../../ui/Card.tsx'
import { confirm } from '../../../ui/dialogs/confirm.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import styles from '../AccountCards.module.css'
import { CardLoading } from '../CardLoading.tsx'
import { failureText } from '../failure-text.ts'
import { sessionsKey, useEndOtherSessions, useSessions } from './queries.ts'
import { SessionRow } from './SessionRow.tsx'

/** Where the user is signed in. */
export function SessionsCard() {
  const { data, isError, isFetching, refetch } = useSessions()
  const list = useRef<HTMLUListElement>(null)
  const toList = () => list.current?.focus()
  return (
    <Card title="Sessions">
      {data ? (
        <div className={styles.body}>
          <ul ref={list} className={styles.rows} tabIndex={-1} aria-label="Where you are signed in">
            {data.map((session) => (
              <SessionRow key={session.id} session={session} onEnded={toList} />
            ))}
          </ul>
          {data.length > 1 && <EndOthersButton onEnded={toList} />}
        </div>
      ) : isError ? (
        <LoadError text="Your sessions could not be loaded." isBusy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <CardLoading height={94} />
      )}
    </Card>
  )
}

function EndOthersButton({ onEnded }: { readonly onEnded: () => void }) {
  const end = useEndOtherSessions()
  const queryClient = useQueryClient()

  async function signOut() {
    const isSure = await confirm({
      question: 'Sign out everywhere else?',
      detail: 'Every other browser and device has to sign in again. Uploads that run there stop.',
      verb: 'Sign out everywhere else',
      icon: <IconLogout size={20} stroke={1.75} />,
    })
    if (!isSure) return
    end.mutate(
      {},
      {
        onSuccess: ({ message }) => {
          onEnded()
          notifySuccess(message)
        },
        onError: (error) => notifyError(failureText(error, 'The other sessions could not be ended.')),
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
