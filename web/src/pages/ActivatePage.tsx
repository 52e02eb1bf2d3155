import { useSearchParams } from 'react-router'
import { ActivationMessage } from '../features/accounts/ActivationMessage.tsx'
import { ArtPage } from '../ui/ArtPage.tsx'
import { BooksNiche } from '../ui/art/niches.tsx'

export function ActivatePage() {
  const [parameters] = useSearchParams()
  return (
    <ArtPage title="Account Activation" art={<BooksNiche />}>
      <ActivationMessage token={parameters.get('token') ?? ''} />
    </ArtPage>
  )
}
