import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { getSession, updateSession } from '../../../api/session.ts'
import { isPlanWanted, openCheckout } from './buy-plan.ts'

export interface Purchase {
  /** Buys a plan; a visitor is first asked to sign in. Does nothing while another purchase is under way. */
  readonly choose: (planId: number) => void
  /** The plan that was chosen last. */
  readonly chosenId: number | undefined
  readonly isBusy: boolean
}

/** What happens when a plan is chosen (specification, section 4). */
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
        updateSession({ pendingPlan: planId })
        await navigate('/login?redirect=payment')
        return
      }
      isRunning.current = true
      setChosenId(planId)
      if (!(await isPlanWanted(planId, queryClient))) return release()
      setIsBusy(true)
      const page = await openCheckout(planId)
      // It stays busy until the page is left.
      if (page) window.location.assign(page)
      else release()
    },
    [navigate, queryClient, release],
  )

  // The browser's Back may bring the page as it was left.
  useEffect(() => {
    const wake = ({ persisted }: PageTransitionEvent) => persisted && release()
    window.addEventListener('pageshow', wake)
    return () => window.removeEventListener('pageshow', wake)
  }, [release])

  return { choose: useCallback((planId) => void choose(planId), [choose]), chosenId, isBusy }
}
