import { confirmCheckout } from '@alcove/contract/billing'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { send } from '../../../api/api.ts'
import { rememberPlan } from '../../../api/remember-plan.ts'
import { sentenceOf } from '../../../api/sentence-of.ts'
import { getSession } from '../../../api/session.ts'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { refreshPlan } from '../queries.ts'
import { type CheckoutReturn, describeCheckout, readCheckoutReturn, withoutCheckoutReturn } from './checkout-return.ts'

/** Tells someone who is back from buying a plan what came of it, once. */
export function useCheckoutReturn(): void {
  const queryClient = useQueryClient()
  const [parameters, setParameters] = useSearchParams()
  const told = useRef<string>(undefined)

  useEffect(() => {
    const back = readCheckoutReturn(parameters)
    if (!back || told.current === parameters.toString()) return
    told.current = parameters.toString()
    if (back.isCanceled) notifySuccess('Nothing was charged. Your plan is as it was.')
    void (back.isCanceled ? Promise.resolve() : confirmPurchase(back)).then(() => {
      setParameters(withoutCheckoutReturn, { replace: true })
      return refreshPlan(queryClient)
    })
  }, [parameters, setParameters, queryClient])
}

/** The webhook may be late, so the card provider is asked. Should it not answer, the plan follows by itself. */
async function confirmPurchase({ sessionId }: CheckoutReturn): Promise<void> {
  const { token } = getSession()
  try {
    const outcome = await send(confirmCheckout, { sessionId })
    rememberPlan(outcome, token)
    notifySuccess(describeCheckout(outcome))
  } catch (error) {
    notifyError(sentenceOf(error) ?? "We couldn't confirm your payment yet. Your plan will update shortly.")
  }
}
