import { breakItemLocks } from '@alcove/contract/locks'
import { IconLockOpen } from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, send, sentenceOf } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'
import { plural } from '../lib/format.ts'
import { confirm } from '../ui/dialogs/dialogs.tsx'
import { notifyError, notifySuccess, type ToastAction } from '../ui/toasts/notify.tsx'
import { runChange } from './changes.ts'
import { type HeldLock, locksOf } from './held-locks.ts'

interface Unlocking {
  /** Repeats the change. */
  readonly again?: () => void
  /** Closes the dialog in which the change was made: the question would reset its fields. */
  readonly close?: (() => void) | undefined
}

/** Returns the button for a change that locks prevented, or undefined if it failed for another reason. */
export function offerUnlock(
  queryClient: QueryClient,
  error: unknown,
  { again, close }: Unlocking = {},
): ToastAction | undefined {
  const locks = locksOf(error)
  if (locks.length === 0) return undefined
  return {
    label: 'Unlock',
    run() {
      close?.()
      void unlock(queryClient, locks, again)
    },
  }
}

/** Releases locks, whichever app holds them, after a confirmation. Then calls `onDone`, or says that it is done. */
export async function unlock(queryClient: QueryClient, locks: readonly HeldLock[], onDone?: () => void): Promise<void> {
  const itemIds = [...new Set(locks.map(({ itemId }) => itemId))]
  if (!(await askToUnlock(locks, itemIds.length))) return
  try {
    await runChange(queryClient, {
      touches: [queryKeys.items],
      call: () => Promise.all(itemIds.map(releaseLocks)),
    })
    if (onDone) onDone()
    else notifySuccess('Unlocked.')
  } catch (error) {
    notifyError(`Couldn't unlock this. ${sentenceOf(error) ?? 'Check your connection, then try again.'}`)
  }
}

/** An item that is gone has no locks any more. */
async function releaseLocks(id: string): Promise<void> {
  await send(breakItemLocks, { id }).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  })
}

function askToUnlock(locks: readonly HeldLock[], items: number): Promise<boolean> {
  const apps = new Intl.ListFormat('en').format(new Set(locks.map(({ app }) => app)))
  return confirm({
    question: items === 1 ? `Unlock "${locks[0]?.name}"?` : `Unlock ${plural(items, 'item')}?`,
    verb: 'Unlock',
    detail: `${items === 1 ? 'It is' : 'They are'} locked by ${apps}. Changes that aren't saved there yet may become a conflict.`,
    icon: <IconLockOpen size={20} stroke={1.75} />,
  })
}
