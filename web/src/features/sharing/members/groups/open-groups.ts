import { lazyModule } from '../../../../lib/lazy-module.ts'
import { openLater } from '../../../../ui/dialogs/dialogs.tsx'

const modal = lazyModule(() => import('./GroupsModal.tsx'))

/** Opens the dialog with the user's groups of people. */
export function openGroups(): void {
  void openLater(modal, ({ openGroupsModal }) => openGroupsModal())
}
