import type { QueryClient } from '@tanstack/react-query'
import { ApiError, sentenceOf } from '../../../api/api.ts'
import { offerUnlock } from '../../../items/unlock.ts'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'
import { notifyError } from '../../../ui/toasts/notify.tsx'
import { type Chosen, countOf } from './chosen-items.ts'

export interface Failure {
  readonly queryClient: QueryClient
  readonly chosen: Chosen
  /** Returns the message, given the server's reason. */
  readonly text: (chosen: Chosen, reason?: string) => string
  /** Repeats the change, perhaps with fewer items. */
  readonly retry: (chosen: Chosen) => void
  /** Repeats it with new names for items whose names are taken; absent if that can't help. */
  readonly keepBoth?: () => void
}

/** Shows why a change failed, and offers what can be done about it. */
export function showFailure(error: unknown, { queryClient, chosen, text, retry, keepBoth }: Failure): void {
  const body = error instanceof ApiError ? error.body : undefined
  const failed = body?.failed ?? []
  const codes = failed.length > 0 ? failed.map(({ code }) => code) : [body?.code]
  const onKeepBoth = codes.every((code) => code === 'name_taken') ? keepBoth : undefined
  const unlockFirst = offerUnlock(queryClient, error, () => retry(chosen))
  if (failed.length === 0 || countOf(chosen) === 1) {
    const reason = failed[0]?.error ?? sentenceOf(error)
    notifyError(text(chosen, reason), unlockFirst ?? (onKeepBoth && { label: 'Keep both', run: onKeepBoth }))
    return
  }
  const shown = { title: text(chosen), chosen, failed, retry, onKeepBoth, unlockFirst }
  void openLater(failedItemsModal, ({ openFailedItemsModal }) => openFailedItemsModal(shown))
}

const failedItemsModal = lazyModule(() => import('./FailedItemsModal.tsx'))
