import { useSyncExternalStore } from 'react'
import { CallCancelled, setReauthentication } from '../../../api/reauthentication.ts'

/** Whether the dialog is open, and how it is answered. */
export interface Asked {
  readonly confirm: () => void
  /** Gives up: without a reason the user has cancelled. */
  readonly cancel: (reason?: Error) => void
}

let requested: Asked | undefined
const listeners = new Set<() => void>()

function set(next: Asked | undefined): void {
  requested = next
  for (const listener of listeners) listener()
}

setReauthentication(
  () =>
    new Promise((resolve, reject) => {
      set({
        confirm: () => {
          set(undefined)
          resolve()
        },
        cancel: (reason = new CallCancelled()) => {
          set(undefined)
          reject(reason)
        },
      })
    }),
)

/** Closes the dialog as Cancel does, if it is open. */
export function cancelReauthentication(): void {
  requested?.cancel()
}

export function useAsked(): Asked | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => requested,
    () => undefined,
  )
}
