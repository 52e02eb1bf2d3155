import type { Item } from '@alcove/contract/items'
import { ApiError } from '../../../api/api.ts'
import { sentenceOf } from '../../../api/sentence-of.ts'
import { notifyError } from '../../../ui/toasts/notify.tsx'
import { type Chosen, countOf } from './chosen-items.ts'
import { showFailedItems } from './show-failed-items.ts'

interface Failure {
  readonly chosen: Chosen
  /** What to say, given the server's reason. */
  readonly text: (reason?: string) => string
  /** Tries again with the names that are taken changed, where that can help. */
  readonly keepBoth?: () => void
  /** Tries again with the items that did not stand in the way. */
  readonly tryOthers: (others: readonly Item[]) => void
}

/** Says why a change was refused, and what can be done about it. */
export function reportFailure(error: unknown, { chosen, text, keepBoth, tryOthers }: Failure): void {
  const body = error instanceof ApiError ? error.body : undefined
  const failed = body?.failed ?? []
  const codes = failed.length > 0 ? failed.map(({ code }) => code) : [body?.code]
  const keepNames = codes.every((code) => code === 'name_taken') ? keepBoth : undefined
  if (failed.length === 0 || countOf(chosen) === 1) {
    const reason = failed[0]?.error ?? sentenceOf(error)
    notifyError(text(reason), keepNames && { label: 'Keep both', run: keepNames })
    return
  }
  const ids = new Set(failed.map(({ itemId }) => itemId))
  const others = chosen.everything ? [] : chosen.items.filter(({ id }) => !ids.has(id))
  showFailedItems({
    title: text(),
    failed: failed.map((one) => ({ ...one, name: one.name ?? chosen.items.find(({ id }) => id === one.itemId)?.name })),
    onKeepBoth: keepNames,
    others: others.length,
    onOthers: () => tryOthers(others),
  })
}
