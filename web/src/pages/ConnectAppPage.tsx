import { ConnectApp } from '../features/accounts/connect-app/ConnectApp.tsx'
import { PageHeading } from '../ui/PageHeader.tsx'
import { fillInAppPassword } from './fill-in-app-password.ts'

export function ConnectAppPage() {
  return (
    <>
      <PageHeading>Connect an app</PageHeading>
      <ConnectApp onCreate={fillInAppPassword} />
    </>
  )
}
