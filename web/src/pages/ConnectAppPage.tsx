import { createdAppPassword } from '../features/accounts/app-passwords/created-app-password.ts'
import { ConnectApp } from '../features/accounts/connect-app/ConnectApp.tsx'
import { lazyModule } from '../lib/lazy-module.ts'
import { openLater } from '../ui/dialogs/dialogs.tsx'
import { PageHeading } from '../ui/PageHeader.tsx'

const createAppPassword = lazyModule(() => import('./create-app-password.ts'))

export function ConnectAppPage() {
  return (
    <>
      <PageHeading>Connect an app</PageHeading>
      <ConnectApp onCreate={create} />
    </>
  )
}

function create(name: string): void {
  void openLater(createAppPassword, ({ openCreateAppPassword }) =>
    openCreateAppPassword({ name, onCreated: createdAppPassword.set }),
  )
}
