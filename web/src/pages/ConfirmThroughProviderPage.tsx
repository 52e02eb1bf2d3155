import { useParams } from 'react-router'
import { ConfirmThroughProvider } from '../features/accounts/single-sign-on/ConfirmThroughProvider.tsx'

/** The window that the dialog "Confirm it's you" opens: `/sign-in/confirm/<provider>`. */
export function ConfirmThroughProviderPage() {
  const { provider = '' } = useParams()
  return <ConfirmThroughProvider provider={provider} />
}
