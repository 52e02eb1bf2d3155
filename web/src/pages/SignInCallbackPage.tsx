import { useState } from 'react'
import { useLocation, useParams } from 'react-router'
import { SignInCallback } from '../features/accounts/single-sign-on/SignInCallback.tsx'

/** The page to which a provider sends the browser back: `/sign-in/callback/<provider>?code=…`. */
export function SignInCallbackPage() {
  const { provider = '' } = useParams()
  // The page removes the query from the address.
  const [query] = useState(useLocation().search.slice(1))
  return <SignInCallback provider={provider} query={query} />
}
