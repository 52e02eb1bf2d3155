import { later } from '../../../lib/later.ts'
import { openLater } from '../../../ui/dialogs.tsx'

const modal = later(() => import('./RecoverySheetModal.tsx'))

/** Shows what to print and keep, so that the vault can be opened even without Alcove. */
export function showRecoverySheet(): void {
  void openLater(modal, ({ openRecoverySheetModal }) => openRecoverySheetModal())
}
