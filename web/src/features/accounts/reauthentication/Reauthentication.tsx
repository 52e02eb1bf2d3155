import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { CallCancelled, setReauthentication, TOKEN_EXPIRED } from '../../../api/api.ts'
import { lazyModule, useLazyModule } from '../../../lib/lazy-module.ts'
import { createStore, useStore } from '../../../lib/store.ts'
import type { PendingConfirmation } from './ReauthenticationDialog.tsx'

const dialog = lazyModule(() => import('./ReauthenticationDialog.tsx'))

/** Asks the user to confirm who they are, when a call needs that. Leaving the screen cancels. */
export function Reauthentication() {
  const confirmation = useStore(pending)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each change of screen
  useEffect(() => cancel, [pathname])
  useEffect(() => {
    // The overlay of an expired session covers everything, and there is no session left to confirm.
    window.addEventListener(TOKEN_EXPIRED, cancel)
    return () => window.removeEventListener(TOKEN_EXPIRED, cancel)
  }, [])
  const module = useLazyModule(dialog, confirmation !== undefined)
  return module ? <module.ReauthenticationDialog confirmation={confirmation} /> : null
}

/** The confirmation that the dialog asks for; undefined while it is closed. */
const pending = createStore<PendingConfirmation | undefined>(undefined)

function cancel(): void {
  pending.get()?.cancel()
}

setReauthentication(
  () =>
    new Promise((resolve, reject) => {
      pending.set({
        confirm: () => {
          pending.set(undefined)
          resolve()
        },
        cancel: (reason = new CallCancelled()) => {
          pending.set(undefined)
          reject(reason)
        },
      })
    }),
)
