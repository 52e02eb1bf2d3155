import { ForgotPasswordForm } from '../features/accounts/sign-in/ForgotPasswordForm.tsx'
import { ArtPage } from '../ui/ArtPage.tsx'
import { ArmchairNiche } from '../ui/art/niches.tsx'

export function ForgotPasswordPage() {
  return (
    <ArtPage
      title="Forgot your password?"
      lead="Give us your address and we send you a link to choose a new one."
      art={<ArmchairNiche />}
    >
      <ForgotPasswordForm />
    </ArtPage>
  )
}
