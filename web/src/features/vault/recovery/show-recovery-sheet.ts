import { lazyModule } from '../../../lib/lazy-module.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'

const modal = lazyModule(() => import('./RecoverySheetModal.tsx'))

/** Shows what to print and keep, so that the vault can be opened even without Alcove. */
export function showRecoverySheet(): void {
  void openLater(modal, ({ openRecoverySheetModal }) => openRecoverySheetModal())
}
