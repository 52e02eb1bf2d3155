import { MoveIn } from '../features/accounts/move-in/MoveIn.tsx'
import { PageHeading } from '../ui/PageHeader.tsx'
import { fillInAppPassword } from './fill-in-app-password.ts'

export function MoveInPage() {
  return (
    <>
      <PageHeading>Move in</PageHeading>
      <MoveIn onCreate={fillInAppPassword} />
    </>
  )
}
