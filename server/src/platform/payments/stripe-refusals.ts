import type { FastifyBaseLogger } from 'fastify'
import type Stripe from 'stripe'
import { AppError } from '../../errors.ts'

const PAYMENTS_OFF = 'Payments are not configured.'
const UNREACHABLE = 'The card provider cannot be reached right now. Nothing was changed. Please try again in a moment.'
const DECLINED = 'Your card was declined.'

/** What the SDK throws, known by its type: the SDK itself is loaded by whoever asks, and not by who looks at an error. */
function isStripeError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && 'type' in error && /^Stripe[A-Z]/.test(String(error.type))
}

const isOfType = (error: unknown, type: Stripe.errors.StripeError['type']): error is Stripe.errors.StripeError =>
  isStripeError(error) && error.type === type

/** What a user may hear of a failure: the provider's own sentence about a card, and never its details otherwise. */
export function toPublicError(error: unknown, log: FastifyBaseLogger): unknown {
  if (isOfType(error, 'StripeCardError')) return new AppError('payment_failed', error.message || DECLINED)
  // What we asked for was wrong, or is not so any more: who asked knows what that means.
  if (isOfType(error, 'StripeInvalidRequestError') || isOfType(error, 'StripeIdempotencyError')) return error
  if (!isStripeError(error)) return error
  log.warn({ err: error }, 'the card provider did not answer, or does not take our key')
  return new AppError('payments_unavailable', UNREACHABLE)
}

export function paymentsOff(): AppError {
  return new AppError('payments_unavailable', PAYMENTS_OFF)
}

/** Whether Stripe says that something it was asked about is not there. */
export function isMissing(error: unknown): boolean {
  return isOfType(error, 'StripeInvalidRequestError') && error.code === 'resource_missing'
}

/** Whether Stripe is just doing the same for somebody else, who asked with the same key. */
export function isBusy(error: unknown): boolean {
  return isStripeError(error) && error.statusCode === 409
}

/** Whether Stripe says that what was asked for is not possible any more, as when two were at it at once. */
export function isRefused(error: unknown): boolean {
  return isOfType(error, 'StripeInvalidRequestError')
}
