import { useParams } from 'react-router'
import { LoginFlowScreen } from '../features/accounts/login-flow/LoginFlowScreen.tsx'

/** The page that Nextcloud clients open to be allowed: `/login/flow/<token>`. */
export function LoginFlowPage() {
  const { token = '' } = useParams()
  return <LoginFlowScreen key={token} token={token} />
}
