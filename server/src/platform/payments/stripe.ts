import type { FastifyBaseLogger } from 'fastify'
import type Stripe from 'stripe'
import { AppError } from '../../errors.ts'

/** Host and timeouts of Stripe's API, where they differ from the defaults. */
export interface StripeApi {
  host?: string
  port?: number
  timeout?: number
  retries?: number
}

/** The API version of the SDK's types. It is named here, so that an update of the SDK can't change it unnoticed. */
const API_VERSION = '2026-10-28.endive'
const TIME_OUT = 10_000

/** The SDK has two hundred modules, so it is loaded when it is first used. */
const load = async () => (await import('stripe')).default

/** Creates a client of the official SDK. Its retries carry an idempotency key, so that nothing is done twice. */
export async function loadStripe(secretKey: string, { host, port, timeout, retries }: StripeApi = {}): Promise<Stripe> {
  const StripeClient = await load()
  return new StripeClient(secretKey, {
    apiVersion: API_VERSION,
    timeout: timeout ?? TIME_OUT,
    maxNetworkRetries: retries ?? 1,
    telemetry: false,
    ...(host && port && { host, port, protocol: 'http' as const }),
  })
}

export async function readSignedEvent(
  body: Buffer,
  signature: string,
  secret: string,
  receivedAt: number,
): Promise<Stripe.Event> {
  const { webhooks } = await load()
  return webhooks.constructEvent(body, signature, secret, undefined, undefined, receivedAt)
}

const PAYMENTS_OFF = 'Payments are not configured.'
const UNREACHABLE = 'The card provider cannot be reached right now. Nothing was changed. Please try again in a moment.'
const DECLINED = 'Your card was declined.'

/** Recognizes the SDK's errors by their type, without loading the SDK. */
function isStripeError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && 'type' in error && /^Stripe[A-Z]/.test(String(error.type))
}

const isOfType = (error: unknown, type: Stripe.errors.StripeError['type']): error is Stripe.errors.StripeError =>
  isStripeError(error) && error.type === type

/** Converts a failure to what the user may see: the provider's message about a card, but no other details. */
export function toPublicError(error: unknown, log: FastifyBaseLogger): unknown {
  if (isOfType(error, 'StripeCardError')) return new AppError('payment_failed', error.message || DECLINED)
  // The request was invalid, or no longer possible: the caller knows what that means.
  if (isOfType(error, 'StripeInvalidRequestError') || isOfType(error, 'StripeIdempotencyError')) return error
  if (!isStripeError(error)) return error
  log.warn({ err: error }, 'the card provider did not respond or rejected the key')
  return new AppError('payments_unavailable', UNREACHABLE)
}

export function paymentsOff(): AppError {
  return new AppError('payments_unavailable', PAYMENTS_OFF)
}

/** Returns whether Stripe says that an object is missing. */
export function isMissing(error: unknown): boolean {
  return isOfType(error, 'StripeInvalidRequestError') && error.code === 'resource_missing'
}

/** Returns whether Stripe is processing another request with the same idempotency key. */
export function isBusy(error: unknown): boolean {
  return isStripeError(error) && error.statusCode === 409
}

/** Returns whether Stripe says that a request is no longer possible, for example because of another one at the same time. */
export function isRefused(error: unknown): boolean {
  return isOfType(error, 'StripeInvalidRequestError')
}
