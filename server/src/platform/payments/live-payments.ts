import type { FastifyBaseLogger } from 'fastify'
import type Stripe from 'stripe'
import type { StripeKeys } from '../../config.ts'
import type { CardFormSettings, Payments, Realm } from './payments.ts'
import { loadStripe, paymentsOff, readSignedEvent, type StripeApi, toPublicError } from './stripe.ts'

/** Stripe, with the operator's keys. */
export class LivePayments implements Payments {
  readonly mode = 'live'
  readonly realm: Realm
  readonly #keys: StripeKeys
  readonly #api: StripeApi
  #stripe: Promise<Stripe> | undefined
  readonly #log: FastifyBaseLogger

  constructor(keys: StripeKeys, log: FastifyBaseLogger, api: StripeApi = {}) {
    this.realm = keys.secretKey.includes('_test_') ? 'test' : 'live'
    this.#keys = keys
    this.#api = api
    this.#log = log
  }

  async ask<T>(work: (stripe: Stripe) => Promise<T>): Promise<T> {
    this.#stripe ??= loadStripe(this.#keys.secretKey, this.#api)
    try {
      return await work(await this.#stripe)
    } catch (error) {
      throw toPublicError(error, this.#log)
    }
  }

  async cardFormSettings(): Promise<CardFormSettings> {
    return { publishableKey: this.#keys.publishableKey }
  }

  readEvent(body: Buffer, signature: string, receivedAt: number): Promise<Stripe.Event> {
    return readSignedEvent(body, signature, this.#keys.webhookSecret, receivedAt)
  }

  async close(): Promise<void> {}
}

/** For a public server without keys: nothing can be bought. */
export const noPayments: Payments = {
  mode: 'off',
  realm: 'live',
  ask: () => Promise.reject(paymentsOff()),
  cardFormSettings: async () => ({}),
  readEvent: () => Promise.reject(paymentsOff()),
  close: async () => {},
}
