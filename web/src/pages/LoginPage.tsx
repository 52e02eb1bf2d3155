import { LoginForm } from '../features/accounts/LoginForm.tsx'
import { ArtPage } from '../ui/ArtPage.tsx'
import { ArmchairNiche } from '../ui/art/niches.tsx'

export function LoginPage() {
  return (
    <ArtPage title="Welcome back" lead="The light is on." art={<ArmchairNiche />}>
      <LoginForm />
    </ArtPage>
  )
}
