import { RegisterForm } from '../features/accounts/sign-in/RegisterForm.tsx'
import { OnlyProviders } from '../features/accounts/single-sign-on/OnlyProviders.tsx'
import { ArtPage } from '../ui/ArtPage.tsx'
import { BooksNiche } from '../ui/art/niches.tsx'

export function RegisterPage() {
  return (
    <ArtPage title="Make your room" lead="10 GB, free. An email address is all we collect." art={<BooksNiche />}>
      <OnlyProviders isRegistering>
        <RegisterForm />
      </OnlyProviders>
    </ArtPage>
  )
}
