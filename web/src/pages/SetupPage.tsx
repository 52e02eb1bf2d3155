import { useLocation } from 'react-router'
import { SetupScreen } from '../features/accounts/setup/SetupScreen.tsx'

/** The page of the first administrator: `/setup#<token>`. */
export function SetupPage() {
  const { hash } = useLocation()
  const token = hash.slice(1)
  return <SetupScreen key={token} token={token} address={`/setup${hash}`} />
}
