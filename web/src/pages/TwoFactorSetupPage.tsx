import { TwoFactorSetup } from '../features/accounts/two-factor/TwoFactorSetup.tsx'
import { ArtPage } from '../ui/ArtPage.tsx'
import { PadlockNiche } from '../ui/art/niches.tsx'

/** Where users go whose account can do nothing else, because the server requires two-factor sign-in. */
export function TwoFactorSetupPage() {
  return (
    <ArtPage
      title="One more step"
      lead="This server requires two-factor sign-in. Once it is on, you can use your account."
      art={<PadlockNiche />}
    >
      <TwoFactorSetup />
    </ArtPage>
  )
}
