import type { Passkey } from '@alcove/contract/passkeys'
import { later } from '../../../lib/later.ts'
import { openLater } from '../../../ui/dialogs.tsx'

const add = later(() => import('./AddPasskeyModal.tsx'))
const rename = later(() => import('./RenamePasskeyModal.tsx'))

export function askForPasskey(): void {
  void openLater(add, ({ openAddPasskeyModal }) => openAddPasskeyModal())
}

export function askForPasskeyName(passkey: Passkey): void {
  void openLater(rename, ({ openRenamePasskeyModal }) => openRenamePasskeyModal(passkey))
}
