import type Stripe from 'stripe'

/** How payments work: live or with test keys, with the sandbox on this machine, or not at all. */
export type PaymentsMode = 'live' | 'sandbox' | 'off'

/** The set of customers that ours belong to. Customers of one realm are unknown to the others. */
export type Realm = 'live' | 'test' | 'sandbox'

/** The settings that browsers get. */
export interface CardFormSettings {
  publishableKey?: string
  sandboxUrl?: string
}

/** The payment provider. */
export interface Payments {
  readonly mode: PaymentsMode
  readonly realm: Realm
  /**
   * Sends requests to Stripe. Throws `payments_unavailable` if Stripe is unreachable or slow, and `payment_failed` for a
   * declined card. Other refusals are the SDK's own errors.
   */
  ask<T>(work: (stripe: Stripe) => Promise<T>): Promise<T>
  cardFormSettings(): Promise<CardFormSettings>
  /** Verifies and parses a webhook's body. Rejects if the signature isn't Stripe's. */
  readEvent(body: Buffer, signature: string, receivedAt: number): Promise<Stripe.Event>
  close(): Promise<void>
}
