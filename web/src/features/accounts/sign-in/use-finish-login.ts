import type { SignedIn } from '@alcove/contract/accounts'
import { FREE_PLAN } from '@alcove/contract/plans'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { getSession, updateSession } from '../../../api/session.ts'
import { destinationAfterLogin } from './login-destination.ts'

/** What every way of signing in ends with: the session is stored, and the user gets to where they wanted to be. */
export function useFinishLogin(): (signedIn: SignedIn) => void {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [parameters] = useSearchParams()
  return ({ token, planName, planId, email }) => {
    const { target, pendingPlan } = getSession()
    queryClient.clear()
    updateSession({ token, planName: planName || FREE_PLAN.planName, planId, email, target: undefined })
    // Someone who registered on the way comes from elsewhere than the plans.
    const isBuying = parameters.get('redirect') === 'payment' || pendingPlan !== undefined
    void navigate(destinationAfterLogin({ target, isBuying }), { replace: true })
  }
}
