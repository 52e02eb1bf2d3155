import { lazyModule } from '../../../lib/lazy-module.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'
import type { SharedWithPeople } from './MembersModal.tsx'

const modal = lazyModule(() => import('./MembersModal.tsx'))

/** Opens the dialog with the people who have access to a folder. */
export function openMembers(folder: SharedWithPeople): void {
  void openLater(modal, ({ openMembersModal }) => openMembersModal(folder))
}
