import { useSearchParams } from 'react-router'
import { LoginForm } from '../features/accounts/sign-in/LoginForm.tsx'
import { useIsHydrated } from '../lib/use-is-hydrated.ts'
import { ArtPage } from '../ui/ArtPage.tsx'
import { ArmchairNiche } from '../ui/art/niches.tsx'

export function LoginPage() {
  const [parameters] = useSearchParams()
  const isBuying = useIsHydrated() && parameters.get('redirect') === 'payment'
  return (
    <ArtPage
      title="Welcome back"
      lead={isBuying ? 'Sign in or register to continue to payment.' : 'The light is on.'}
      art={<ArmchairNiche />}
    >
      <LoginForm />
    </ArtPage>
  )
}
