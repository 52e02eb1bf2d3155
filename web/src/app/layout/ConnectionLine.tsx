import { UnstyledButton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { browserConnection } from '../../api/connection.ts'
import { reachability } from '../../api/reachability.ts'
import styles from './ConnectionLine.module.css'

/** One quiet line while there is no network, or the server can't be reached. */
export function ConnectionLine() {
  const isOnline = useSyncExternalStore(browserConnection.subscribe, browserConnection.isOnline)
  const isReachable = useSyncExternalStore(reachability.subscribe, reachability.isReachable)
  useRefetchOnReturn(isReachable)
  return (
    <div role="status">
      {!isOnline && (
        <p className={styles.line}>You are offline. Alcove goes on by itself once the connection is back.</p>
      )}
      {isOnline && !isReachable && (
        <p className={styles.line}>
          Alcove can’t be reached. Trying again…{' '}
          <UnstyledButton className={styles.retry} onClick={() => reachability.retry()}>
            Retry now
          </UnstyledButton>
        </p>
      )}
    </div>
  )
}

/** Fetches what is on screen anew once the server is back. */
function useRefetchOnReturn(isReachable: boolean): void {
  const queryClient = useQueryClient()
  const wasReachable = useRef(isReachable)
  useEffect(() => {
    if (isReachable && !wasReachable.current) void queryClient.refetchQueries({ type: 'active', stale: true })
    wasReachable.current = isReachable
  }, [isReachable, queryClient])
}
