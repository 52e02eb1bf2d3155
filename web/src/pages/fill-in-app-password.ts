import { createdAppPassword } from '../features/accounts/app-passwords/created-app-password.ts'
import { lazyModule } from '../lib/lazy-module.ts'
import { openLater } from '../ui/dialogs/dialogs.tsx'

const createAppPassword = lazyModule(() => import('./create-app-password.ts'))

/** Opens the dialog that creates an app password, which suggests a name, and fills the new one into the instructions of the page. */
export function fillInAppPassword(name: string): void {
  void openLater(createAppPassword, ({ openCreateAppPassword }) =>
    openCreateAppPassword({ name, onCreated: createdAppPassword.set }),
  )
}
