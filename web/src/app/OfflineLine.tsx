import { useSyncExternalStore } from 'react'
import { browserConnection } from '../lib/connection.ts'
import styles from './OfflineLine.module.css'

/** One quiet line while there is no network. */
export function OfflineLine() {
  const isOnline = useSyncExternalStore(browserConnection.subscribe, browserConnection.isOnline)
  return (
    <div role="status">
      {!isOnline && (
        <p className={styles.line}>You are offline. Alcove goes on by itself once the connection is back.</p>
      )}
    </div>
  )
}
