import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { getSession, updateSession } from '../../../api/session.ts'

/**
 * Goes on with the purchase that led to the login. The saved plan is removed before anything else, so that neither a
 * reload nor Back nor an effect that runs twice buys again.
 */
export function useResumedPurchase(choose: (planId: number) => void): void {
  const [parameters] = useSearchParams()
  const isResumed = parameters.get('redirect') === 'payment'
  useEffect(() => {
    const { pendingPlan } = getSession()
    if (!isResumed || pendingPlan === undefined) return
    updateSession({ pendingPlan: undefined })
    choose(pendingPlan)
  }, [isResumed, choose])
}
