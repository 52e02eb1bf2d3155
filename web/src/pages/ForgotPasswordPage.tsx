import { ForgotPasswordForm } from '../features/accounts/sign-in/ForgotPasswordForm.tsx'
import { ArtPage } from '../ui/ArtPage.tsx'
import { ArmchairNiche } from '../ui/art/niches.tsx'

export function ForgotPasswordPage() {
  return (
    <ArtPage
      title="Forgot your password?"
      lead="Enter your email address and we’ll send you a link to choose a new password."
      art={<ArmchairNiche />}
    >
      <ForgotPasswordForm />
    </ArtPage>
  )
}
