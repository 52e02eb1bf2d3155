import { useSyncExternalStore } from 'react'
import { getSession, subscribeToSession } from '../../../api/session.ts'

/**
 * The master passphrase as it stands in its field: in the memory of this tab alone, never stored and never sent. It goes
 * with the session, and with a reload.
 */
let passphrase = ''
let token = getSession().token
const listeners = new Set<() => void>()

export function getPassphrase(): string {
  return passphrase
}

export function setPassphrase(next: string): void {
  passphrase = next
  for (const listener of listeners) listener()
}

export function usePassphrase(): string {
  return useSyncExternalStore(subscribeToPassphrase, getPassphrase)
}

/** Calls `listener` at each change until the returned function is called. */
export function subscribeToPassphrase(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

subscribeToSession(() => {
  if (getSession().token === token) return
  token = getSession().token
  setPassphrase('')
})
