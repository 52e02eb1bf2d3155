import { Navigate, useSearchParams } from 'react-router'
import { ResetPasswordForm } from '../features/accounts/sign-in/ResetPasswordForm.tsx'
import { ArtPage } from '../ui/ArtPage.tsx'
import { ArmchairNiche } from '../ui/art/niches.tsx'

export function ResetPasswordPage() {
  const [parameters] = useSearchParams()
  const resetToken = parameters.get('token')
  if (!resetToken) return <Navigate to="/" replace />
  return (
    <ArtPage title="Choose a new password" art={<ArmchairNiche />}>
      <ResetPasswordForm resetToken={resetToken} />
    </ArtPage>
  )
}
