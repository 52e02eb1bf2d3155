import { useSyncExternalStore } from 'react'

interface Running {
  /** How much is decrypted, between 0 and 1. */
  readonly share: number
  readonly cancel: () => void
}

const running = new Map<string, Running>()
const listeners = new Set<() => void>()

/** Notes how far the decryption of a file is; undefined when it is over. */
export function setDecryption(fileId: string, state: Running | undefined): void {
  if (state) running.set(fileId, state)
  else running.delete(fileId)
  for (const listener of listeners) listener()
}

/** The decryption of a file that is under way. */
export function useDecryption(fileId: string): Running | undefined {
  return useSyncExternalStore(subscribe, () => running.get(fileId))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
