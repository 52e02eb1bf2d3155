import { confirmCheckout } from '@alcove/contract/billing'
import type { OutputOf } from '@alcove/contract/call'
import { CHECKOUT_CANCELED, CHECKOUT_RETURN, isPaidPlan, PLAN_CHANGED } from '@alcove/contract/plans'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { send, sentenceOf } from '../../../api/api.ts'
import { getSession, rememberPlan } from '../../../api/session.ts'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { refreshPlan } from '../queries.ts'

/** Shows the outcome, once, to a user who returns from the payment page. */
export function useCheckoutReturn(): void {
  const queryClient = useQueryClient()
  const [parameters, setParameters] = useSearchParams()
  const shown = useRef<string>(undefined)

  useEffect(() => {
    const back = readCheckoutReturn(parameters)
    if (!back || shown.current === parameters.toString()) return
    shown.current = parameters.toString()
    if (back.isCanceled) notifySuccess('Nothing was charged. Your plan hasn’t changed.')
    void (back.isCanceled ? Promise.resolve() : confirmOutcome(back)).then(() => {
      setParameters(withoutCheckoutReturn, { replace: true })
      return refreshPlan(queryClient)
    })
  }, [parameters, setParameters, queryClient])
}

/** Asks the card provider, since the webhook may be late. Without a response, the webhook updates the plan later. */
async function confirmOutcome({ sessionId }: CheckoutReturn): Promise<void> {
  const { token } = getSession()
  try {
    const outcome = await send(confirmCheckout, { sessionId })
    rememberPlan(outcome, token)
    notifySuccess(describeCheckout(outcome))
  } catch (error) {
    notifyError(sentenceOf(error) ?? "We couldn't confirm your payment yet. Your plan will update shortly.")
  }
}

interface CheckoutReturn {
  readonly isCanceled: boolean
  /** The id of the checkout session. A change of plan has none. */
  readonly sessionId?: string
}

/** Returns what the address says about a checkout; undefined if the user doesn't come from one. */
export function readCheckoutReturn(parameters: URLSearchParams): CheckoutReturn | undefined {
  const outcome = parameters.get(CHECKOUT_RETURN)
  if (!outcome) return undefined
  if (outcome === CHECKOUT_CANCELED) return { isCanceled: true }
  return { isCanceled: false, sessionId: outcome === PLAN_CHANGED ? undefined : outcome }
}

/** Returns the parameters without the checkout, so that a reload doesn't show its outcome again. */
export function withoutCheckoutReturn(parameters: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams(parameters)
  kept.delete(CHECKOUT_RETURN)
  return kept
}

/** Returns the message for the outcome of a checkout. */
export function describeCheckout({ status, planName }: OutputOf<typeof confirmCheckout>): string {
  if (status === 'expired') return 'The payment page has expired. Nothing was charged.'
  if (status === 'open' || !isPaidPlan(planName)) return 'The payment is not complete yet.'
  return `You are now on ${planName}.`
}
