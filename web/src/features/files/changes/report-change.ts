import type { Item } from '@alcove/contract/items'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, sentenceOf } from '../../../api/api.ts'
import { offerUnlock } from '../../../items/unlock.tsx'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'
import { notifyError } from '../../../ui/toasts/notify.tsx'
import { type Chosen, countOf } from './chosen-items.ts'
import type { FailedItems } from './FailedItemsModal.tsx'

interface Failure {
  readonly queryClient: QueryClient
  readonly chosen: Chosen
  /** Returns the message, given the server's reason. */
  readonly text: (reason?: string) => string
  /** Retries with new names for items whose names are taken; absent if that can't help. */
  readonly keepBoth?: () => void
  /** Repeats the change, once what locked the items is unlocked. */
  readonly again: () => void
  /** Retries without the items that failed. */
  readonly tryOthers: (others: readonly Item[]) => void
}

/** Shows why a change failed, and offers what can be done about it. */
export function reportFailure(
  error: unknown,
  { queryClient, chosen, text, keepBoth, again, tryOthers }: Failure,
): void {
  const body = error instanceof ApiError ? error.body : undefined
  const failed = body?.failed ?? []
  const codes = failed.length > 0 ? failed.map(({ code }) => code) : [body?.code]
  const keepNames = codes.every((code) => code === 'name_taken') ? keepBoth : undefined
  const unlockFirst = offerUnlock(queryClient, error, { again })
  if (failed.length === 0 || countOf(chosen) === 1) {
    const reason = failed[0]?.error ?? sentenceOf(error)
    notifyError(text(reason), unlockFirst ?? (keepNames && { label: 'Keep both', run: keepNames }))
    return
  }
  const ids = new Set(failed.map(({ itemId }) => itemId))
  const others = chosen.everything ? [] : chosen.items.filter(({ id }) => !ids.has(id))
  showFailedItems({
    title: text(),
    failed: failed.map((one) => ({ ...one, name: one.name ?? chosen.items.find(({ id }) => id === one.itemId)?.name })),
    onKeepBoth: keepNames,
    onUnlock: unlockFirst?.run,
    others: others.length,
    onOthers: () => tryOthers(others),
  })
}

const failedItemsModal = lazyModule(() => import('./FailedItemsModal.tsx'))

/** Shows which items prevented a change. */
function showFailedItems(failed: FailedItems): void {
  void openLater(failedItemsModal, ({ openFailedItemsModal }) => openFailedItemsModal(failed))
}
