import type Stripe from 'stripe'

/** Where Stripe's API is, and how long it is waited for; left out: where Stripe has it, and as long as is good. */
export interface StripeApi {
  host?: string
  port?: number
  timeout?: number
  retries?: number
}

/** The version that the SDK's types describe. Naming it here keeps an update of the SDK from changing it unseen. */
const API_VERSION = '2026-10-28.endive'
const TIME_OUT = 10_000

/** Two hundred modules: a server on which nobody buys anything does without. */
const load = async () => (await import('stripe')).default

/** The official SDK. Its own retries carry an idempotency key, so that none does anything twice. */
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
