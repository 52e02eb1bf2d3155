import type { SignedIn } from '@alcove/contract/accounts'
import { useNavigate, useSearchParams } from 'react-router'
import { getSession, updateSession } from '../../../api/session.ts'
import { hasPlans } from '../../../lib/site.ts'

/** Returns the function that ends each way of signing in: it stores the session and goes where the user wanted to go. */
export function useFinishLogin(): (signedIn: SignedIn) => void {
  const navigate = useNavigate()
  const [parameters] = useSearchParams()
  return ({ token, planName, planId, email }) => {
    const { target, pendingPlan } = getSession()
    updateSession({ token, planName, planId, email, target: undefined })
    // A user who registered in between has lost the parameter, but not the plan.
    const isBuying = hasPlans() && (parameters.get('redirect') === 'payment' || pendingPlan !== undefined)
    void navigate(destinationAfterLogin({ target, isBuying }), { replace: true })
  }
}

interface LoginDestination {
  readonly target?: string
  /** Whether the user was on the way to buy a plan. */
  readonly isBuying: boolean
}

/** Returns where a login leads. Only a path of this site is accepted as the target. */
export function destinationAfterLogin({ target, isBuying }: LoginDestination): string {
  if (isBuying) return '/subscriptions?redirect=payment'
  return target && /^\/(?!\/)/.test(target) ? target : '/profile'
}
