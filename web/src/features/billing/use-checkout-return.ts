import { confirmCheckout } from '@alcove/contract/billing'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { send } from '../../lib/api.ts'
import { rememberPlan } from '../../lib/remember-plan.ts'
import { sentenceOf } from '../../lib/sentence-of.ts'
import { getSession } from '../../lib/session.ts'
import { notifyError, notifySuccess } from '../../ui/notify.tsx'
import { type CheckoutReturn, describeCheckout, readCheckoutReturn, withoutCheckoutReturn } from './checkout-return.ts'
import { refreshPlan } from './queries.ts'

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
    notifyError(sentenceOf(error) ?? 'What was paid could not be asked for. Your plan will follow in a moment.')
  }
}
