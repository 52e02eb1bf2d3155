import { logout } from '@alcove/contract/accounts'
import { useNavigate } from 'react-router'
import { send } from '../../../api/api.ts'
import { updateSession } from '../../../api/session.ts'

interface SignOutOptions {
  /** The page that the next sign-in leads to. Without one, the landing page follows instead of the sign-in. */
  readonly target?: string
}

/** Returns the function that signs out. */
export function useSignOut(): (options?: SignOutOptions) => Promise<void> {
  const navigate = useNavigate()
  return async ({ target } = {}) => {
    // Leaves the page first: without a token, its guard would send the user to /login.
    await navigate(target ? '/login' : '/')
    // Sent with the token before that is removed. If it fails, the session ends in this browser anyway.
    const ended = send(logout, {}).catch(() => undefined)
    updateSession({ token: undefined, planName: undefined, player: undefined })
    if (target) updateSession({ target, pendingPlan: undefined })
    const signOutUrl = (await ended)?.signOutUrl
    // The session at the provider ends too. It sends the browser back to the landing page.
    if (signOutUrl !== undefined && !target) window.location.assign(signOutUrl)
  }
}
