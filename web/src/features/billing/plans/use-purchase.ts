import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { getSession, updateSession } from '../../../api/session.ts'
import { isPlanWanted, openCheckout } from './buy-plan.ts'

export interface Purchase {
  /** Buys a plan. Sends a visitor to the login first. Does nothing while another purchase is in progress. */
  readonly choose: (planId: number) => void
  /** The id of the plan that was chosen last. */
  readonly chosenId: number | undefined
  readonly isBusy: boolean
}

/** Returns the function that buys a plan (specification, section 4), and the state of the purchase. */
export function usePurchase(): Purchase {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const isRunning = useRef(false) // known at once, unlike the state: a double click is faster than a render
  const [isBusy, setIsBusy] = useState(false)
  const [chosenId, setChosenId] = useState<number>()

  const release = useCallback(() => {
    isRunning.current = false
    setIsBusy(false)
  }, [])

  const choose = useCallback(
    async (planId: number) => {
      if (isRunning.current) return
      if (!getSession().token) {
        updateSession({ pendingPlan: planId, target: undefined })
        await navigate('/login?redirect=payment')
        return
      }
      isRunning.current = true
      setChosenId(planId)
      if (!(await isPlanWanted(planId, queryClient))) return release()
      setIsBusy(true)
      const page = await openCheckout(planId, queryClient)
      // Stays busy until the browser has left the page.
      if (page) window.location.assign(page)
      else release()
    },
    [navigate, queryClient, release],
  )

  // The browser's Back button may restore the page as it was left.
  useEffect(() => {
    const wake = ({ persisted }: PageTransitionEvent) => persisted && release()
    window.addEventListener('pageshow', wake)
    return () => window.removeEventListener('pageshow', wake)
  }, [release])

  return { choose: useCallback((planId) => void choose(planId), [choose]), chosenId, isBusy }
}

/**
 * Resumes the purchase that led to the login. The stored plan is removed first, so that neither a reload nor Back nor an
 * effect that runs twice buys it again.
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
