import { useLocation } from 'react-router'
import { InvitationScreen } from '../features/accounts/invitation/InvitationScreen.tsx'

/** The page of an invitation to create an account: `/invitation#<token>`. */
export function InvitationPage() {
  const token = useLocation().hash.slice(1)
  return <InvitationScreen key={token} token={token} />
}
