import type { Passkey } from '@alcove/contract/passkeys'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'

const add = lazyModule(() => import('./AddPasskeyModal.tsx'))
const rename = lazyModule(() => import('./RenamePasskeyModal.tsx'))

export function askForPasskey(): void {
  void openLater(add, ({ openAddPasskeyModal }) => openAddPasskeyModal())
}

export function askForPasskeyName(passkey: Passkey): void {
  void openLater(rename, ({ openRenamePasskeyModal }) => openRenamePasskeyModal(passkey))
}
