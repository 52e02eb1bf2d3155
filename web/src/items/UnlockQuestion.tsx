import { breakItemLocks } from '@alcove/contract/locks'
import { modals } from '@mantine/modals'
import { IconLockOpen } from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, send, sentenceOf } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'
import { plural } from '../lib/format.ts'
import { openConfirmation } from '../ui/dialogs/Confirmation.tsx'
import { notifyError, notifySuccess } from '../ui/toasts/notify.tsx'
import { runChange } from './changes.ts'
import type { HeldLock } from './held-locks.ts'

/** Asks whether to release locks, and releases them. Closes the dialog in which that was chosen: its fields would be reset. */
export function askToUnlock(queryClient: QueryClient, locks: readonly HeldLock[], onDone?: () => void): void {
  const itemIds = [...new Set(locks.map(({ itemId }) => itemId))]
  const isOne = itemIds.length === 1
  const apps = new Intl.ListFormat('en').format(new Set(locks.map(({ app }) => app)))
  modals.closeAll()
  openConfirmation(
    {
      question: isOne ? `Unlock "${locks[0]?.name}"?` : `Unlock ${plural(itemIds.length, 'item')}?`,
      verb: 'Unlock',
      detail: `${isOne ? 'It is' : 'They are'} locked by ${apps}. Changes that aren't saved there yet may become a conflict.`,
      icon: <IconLockOpen size={20} stroke={1.75} />,
    },
    (isConfirmed) => isConfirmed && void release(queryClient, itemIds, onDone),
  )
}

async function release(queryClient: QueryClient, itemIds: readonly string[], onDone?: () => void): Promise<void> {
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
