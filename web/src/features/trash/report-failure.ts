import type { TrashedItem } from '@alcove/contract/trash'
import { ApiError } from '../../api/api.ts'
import { notifyError } from '../../ui/toasts/notify.tsx'
import { describeFailed } from './trash-contents.ts'

/** Says what failed, of many items also which and why, and offers to go on without those. */
export function reportFailure(
  error: unknown,
  text: string,
  items: readonly TrashedItem[],
  tryOthers: (others: readonly TrashedItem[]) => void,
): void {
  const failed = (error instanceof ApiError && error.body?.failed) || []
  if (items.length === 1 || failed.length === 0) {
    notifyError(text)
    return
  }
  const ids = new Set(failed.map(({ itemId }) => itemId))
  const others = items.filter(({ id }) => !ids.has(id))
  const action = others.length > 0 ? { label: 'Only the others', run: () => tryOthers(others) } : undefined
  notifyError(text + describeFailed(failed, items), action)
}
