import type Stripe from 'stripe'

/** How payments are taken: for real or with test keys, by the sandbox on this machine, or not at all. */
export type PaymentsMode = 'live' | 'sandbox' | 'off'

/** Among whose customers ours are: those of one are unknown to the others. */
export type Realm = 'live' | 'test' | 'sandbox'

/** What browsers are told. */
export interface CardFormSettings {
  publishableKey?: string
  sandboxUrl?: string
}

/** The door to the card provider. */
export interface Payments {
  readonly mode: PaymentsMode
  readonly realm: Realm
  /**
   * Asks Stripe. That it cannot be reached, or is slow, is thrown as 'payments unavailable', a declined card as 'payment
   * failed'; other refusals come as the SDK throws them.
   */
  ask<T>(work: (stripe: Stripe) => Promise<T>): Promise<T>
  cardFormSettings(): Promise<CardFormSettings>
  /** What was delivered to our webhook; rejects when Stripe has not signed it. */
  readEvent(body: Buffer, signature: string, receivedAt: number): Promise<Stripe.Event>
  close(): Promise<void>
}
