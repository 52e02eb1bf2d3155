import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef } from 'react'
import { Card } from '../../../ui/Card.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import styles from '../AccountCards.module.css'
import { CardLoading } from '../CardLoading.tsx'
import { askForPasskey } from './dialogs.ts'
import { PasskeyRow } from './PasskeyRow.tsx'
import { hasPasskeys } from './passkey-ceremonies.ts'
import { usePasskeys } from './queries.ts'

/** The passkeys of the account, by which one signs in without a password. */
export function PasskeysCard() {
  const { data, isError, isFetching, refetch } = usePasskeys()
  const add = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const obstacle = findObstacle(data)
  return (
    <Card title="Passkeys">
      {data ? (
        <div className={styles.body}>
          {data.passkeys.length === 0 && (
            <p className={styles.text}>
              Sign in with a fingerprint, a face or the PIN of a device. There is no password to type, and none that
              could be stolen.
            </p>
          )}
          {data.passkeys.length > 0 && (
            <ul ref={list} className={styles.rows} tabIndex={-1} aria-label="Your passkeys">
              {data.passkeys.map((passkey) => (
                <PasskeyRow
                  key={passkey.id}
                  passkey={passkey}
                  onRemoved={() => (add.current ?? list.current)?.focus()}
                />
              ))}
            </ul>
          )}
          {obstacle ? (
            <p className={styles.text}>{obstacle}</p>
          ) : (
            <Button
              ref={add}
              variant="default"
              leftSection={<IconPlus size={18} stroke={1.75} />}
              onClick={askForPasskey}
            >
              Add a passkey
            </Button>
          )}
        </div>
      ) : isError ? (
        <LoadError text="Your passkeys could not be loaded." isBusy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <CardLoading height={94} />
      )}
    </Card>
  )
}

/** Why no passkey can be added here, in words. */
function findObstacle(response: ReturnType<typeof usePasskeys>['data']): string | undefined {
  if (response && !response.available) return response.reason ?? 'There can be no passkeys at this address.'
  return hasPasskeys() ? undefined : 'This browser does not know passkeys.'
}
