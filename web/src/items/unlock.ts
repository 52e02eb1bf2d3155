import type { QueryClient } from '@tanstack/react-query'
import { lazyModule } from '../lib/lazy-module.ts'
import { openLater } from '../ui/dialogs/dialogs.tsx'
import type { ToastAction } from '../ui/toasts/notify.tsx'
import { type HeldLock, locksOf } from './held-locks.ts'

const question = lazyModule(() => import('./UnlockQuestion.tsx'))

/** Releases locks, whichever app holds them, after a confirmation. Then calls `onDone`, or says that it is done. */
export function unlock(queryClient: QueryClient, locks: readonly HeldLock[], onDone?: () => void): void {
  void openLater(question, ({ askToUnlock }) => askToUnlock(queryClient, locks, onDone))
}

/** Returns the button for a change that locks prevented, or undefined if it failed for another reason. `again` repeats the change. */
export function offerUnlock(queryClient: QueryClient, error: unknown, again?: () => void): ToastAction | undefined {
  const locks = locksOf(error)
  return locks[0] && { label: 'Unlock', run: () => unlock(queryClient, locks, again) }
}
