import type { confirmCheckout } from '@alcove/contract/billing'
import type { OutputOf } from '@alcove/contract/call'
import { CHECKOUT_CANCELED, CHECKOUT_RETURN, isPaidPlan, PLAN_CHANGED } from '@alcove/contract/plans'

export interface CheckoutReturn {
  readonly isCanceled: boolean
  /** That of the payment page; a change of plan had none. */
  readonly sessionId?: string
}

/** What the address says to someone who comes from buying a plan; undefined for everyone else. */
export function readCheckoutReturn(parameters: URLSearchParams): CheckoutReturn | undefined {
  const outcome = parameters.get(CHECKOUT_RETURN)
  if (!outcome) return undefined
  if (outcome === CHECKOUT_CANCELED) return { isCanceled: true }
  return { isCanceled: false, sessionId: outcome === PLAN_CHANGED ? undefined : outcome }
}

/** The address without that, for a reload tells nothing new. */
export function withoutCheckoutReturn(parameters: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams(parameters)
  kept.delete(CHECKOUT_RETURN)
  return kept
}

/** What the card provider has said of a purchase. */
export function describeCheckout({ status, planName }: OutputOf<typeof confirmCheckout>): string {
  if (status === 'expired') return 'The payment page has expired. Nothing was charged.'
  if (status === 'open' || !isPaidPlan(planName)) return 'The payment is not finished yet.'
  return `You are now on ${planName}.`
}
