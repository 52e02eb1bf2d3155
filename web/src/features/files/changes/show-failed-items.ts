import { lazyModule } from '../../../lib/lazy-module.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'
import type { FailedItems } from './FailedItemsModal.tsx'

const modal = lazyModule(() => import('./FailedItemsModal.tsx'))

/** Shows which items stood in the way of a change; the dialog is fetched after the list shows. */
export function showFailedItems(failed: FailedItems): void {
  void openLater(modal, ({ openFailedItemsModal }) => openFailedItemsModal(failed))
}
