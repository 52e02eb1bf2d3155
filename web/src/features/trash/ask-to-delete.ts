import type { TrashedItem } from '@alcove/contract/trash'
import { formatCount } from '../../lib/format.ts'
import { confirm } from '../../ui/dialogs/confirm.ts'

/** Asks whether items are to be deleted for good. */
export function askToDelete(items: readonly TrashedItem[]): Promise<boolean> {
  const [first] = items
  const what =
    items.length > 1
      ? `these ${formatCount(items.length)} items`
      : first?.type === 'folder'
        ? 'this folder and all its contents'
        : 'this file'
  return confirm({
    question: `Are you sure you want to permanently delete ${what}?`,
    detail:
      items.length > 1
        ? 'Folders go with all that is in them. This cannot be undone.'
        : `${first?.name}. This cannot be undone.`,
    verb: 'Delete Permanently',
  })
}
