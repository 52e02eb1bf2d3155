import { lazyModule } from '../../lib/lazy-module.ts'
import { openLater } from '../../ui/dialogs/dialogs.tsx'

const modal = lazyModule(() => import('./RecoverySheetModal.tsx'))

/** Opens a sheet to print and keep, which explains how to open the vault even without Alcove. */
export function showRecoverySheet(): void {
  void openLater(modal, ({ openRecoverySheetModal }) => openRecoverySheetModal())
}
