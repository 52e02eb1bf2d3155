import { useSyncExternalStore } from 'react'
import { TOKEN_EXPIRED } from '../api/api.ts'

/**
 * Whether the session has just expired and the overlay is counting down. Meanwhile the guards leave the page where it
 * is: the overlay, not the guard, decides where to go.
 */
let isExpired = false
const listeners = new Set<() => void>()

function set(value: boolean): void {
  isExpired = value
  for (const listener of listeners) listener()
}

if (typeof window !== 'undefined') window.addEventListener(TOKEN_EXPIRED, () => set(true))

export function endSessionExpiry(): void {
  set(false)
}

export function useSessionExpired(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isExpired,
    () => false,
  )
}
