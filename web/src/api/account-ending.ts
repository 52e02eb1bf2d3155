import { useSyncExternalStore } from 'react'

/**
 * Whether the user is just deleting the account. Its sessions end by that, which is not to be told as an expiry, and the
 * page stays where it is until it says goodbye.
 */
export type AccountEnding = 'no' | 'deleting' | 'deleted'

let ending: AccountEnding = 'no'
const listeners = new Set<() => void>()

export function setAccountEnding(next: AccountEnding): void {
  ending = next
  for (const listener of listeners) listener()
}

export function getAccountEnding(): AccountEnding {
  return ending
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useAccountEnding(): AccountEnding {
  return useSyncExternalStore(subscribe, getAccountEnding, () => 'no')
}
