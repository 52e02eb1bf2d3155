import { StripeError, type StripeErrorDetails } from '../http/stripe-error.ts'
import type { Decline } from '../stripe-objects.ts'

/** What Stripe answers when a card is declined. `isKept`: the attempt itself is remembered. */
export function declineError(
  { code, declineCode, message }: Decline,
  options: { isKept?: boolean; details?: Partial<StripeErrorDetails> } = {},
): StripeError {
  return new StripeError(
    402,
    { type: 'card_error', code, message, ...(declineCode && { decline_code: declineCode }), ...options.details },
    options,
  )
}
