import type { Item } from '@alcove/contract/items'
import { type ItemLock, listItemLocks } from '@alcove/contract/locks'
import { Anchor } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { unlock } from '../../../items/unlock.ts'
import { LOCALE } from '../../../lib/format.ts'
import styles from './LockDetails.module.css'

/** The clock of this device may be ahead of the server's. In milliseconds. */
const LEAST_WAIT = 5000

/** The locks of an item and of the folders that contain it, with a button that releases them. Renders nothing if there are none. */
export function LockDetails({ item }: { readonly item: Item }) {
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: [...queryKeys.item(item.id), 'locks'],
    queryFn: ({ signal }) => send(listItemLocks, { id: item.id }, { signal }),
    // Apps can't open what is encrypted.
    enabled: !item.isEncrypted,
    refetchInterval: ({ state }) => untilNextEnd(state.data?.locks),
  })
  if (!data || data.locks.length === 0) return null
  return (
    <ul className={styles.locks} aria-label="Locks">
      {data.locks.map((lock) => (
        <li key={`${lock.itemId} ${lock.app} ${lock.createdAt}`}>
          {describeLock(lock, item)}{' '}
          <Anchor component="button" type="button" inherit onClick={() => unlock(queryClient, [lock])}>
            Unlock
          </Anchor>
        </li>
      ))}
    </ul>
  )
}

/** No lock lasts longer than an hour, so its end needs no date. */
const timeOfDay = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' })

function describeLock({ itemId, name, app, expiresAt }: ItemLock, item: Item): string {
  const what = itemId === item.id ? 'Locked' : `The folder "${name}" is locked`
  return `${what} by ${app}, until ${timeOfDay.format(new Date(expiresAt))}.`
}

/** Returns the time until the first of the locks expires, in milliseconds, or false if there are none. */
function untilNextEnd(locks: readonly ItemLock[] = []): number | false {
  if (locks.length === 0) return false
  const next = Math.min(...locks.map(({ expiresAt }) => Date.parse(expiresAt)))
  return Math.max(next - Date.now(), LEAST_WAIT)
}
