import { useSearchParams } from 'react-router'
import { ActivateAccount } from '../features/accounts/sign-in/ActivateAccount.tsx'
import { ArtPage } from '../ui/ArtPage.tsx'
import { BooksNiche } from '../ui/art/niches.tsx'

export function ActivatePage() {
  const [parameters] = useSearchParams()
  return (
    <ArtPage title="Account Activation" art={<BooksNiche />}>
      <ActivateAccount token={parameters.get('token') ?? ''} />
    </ArtPage>
  )
}
