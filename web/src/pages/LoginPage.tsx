import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { LoginForm } from '../features/accounts/sign-in/LoginForm.tsx'
import { canRegister } from '../lib/sign-up.ts'
import { announcementOfPage, hasPlans } from '../lib/site.ts'
import { useIsHydrated } from '../lib/use-is-hydrated.ts'
import { ArtPage } from '../ui/ArtPage.tsx'
import { ArmchairNiche } from '../ui/art/niches.tsx'

const AnnouncementBar = lazy(async () => ({
  default: (await import('../features/announcement/AnnouncementBar.tsx')).AnnouncementBar,
}))

export function LoginPage() {
  const [parameters] = useSearchParams()
  const isHydrated = useIsHydrated()
  const isBuying = isHydrated && hasPlans() && parameters.get('redirect') === 'payment'
  return (
    <ArtPage
      title="Welcome back"
      lead={isBuying ? `Sign in ${canRegister() ? 'or register ' : ''}to continue to payment.` : 'The light is on.'}
      art={<ArmchairNiche />}
    >
      {isHydrated && announcementOfPage() && (
        <Suspense fallback={null}>
          <AnnouncementBar />
        </Suspense>
      )}
      <LoginForm />
    </ArtPage>
  )
}
