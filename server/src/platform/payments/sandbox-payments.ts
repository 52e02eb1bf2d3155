import { createRequire } from 'node:module'
import type { Sandbox } from '@alcove/stripe-sandbox/sandbox'
import type { FastifyBaseLogger } from 'fastify'
import type Stripe from 'stripe'
import type { Clock } from '../clock.ts'
import type { CardFormSettings, Payments } from './payments.ts'
import { loadStripe, readSignedEvent, toPublicError } from './stripe.ts'

/** Delivers an event to our webhook and returns its status. */
type Deliver = (body: string, signature: string) => Promise<number>

interface SandboxSettings {
  /** The file with its state. */
  databasePath: string
  publicUrl: string
  clock: Clock
  webhookSecret: string
  log: FastifyBaseLogger
}

/** The path of the sandbox's pages below the public address. */
export const SANDBOX_PATH = '/stripe-sandbox'

/** Returns whether the sandbox is installed. The production image doesn't contain it. */
export function isSandboxInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve('@alcove/stripe-sandbox/sandbox')
    return true
  } catch {
    return false
  }
}

interface Opened {
  sandbox: Sandbox
  stripe: Stripe
}

/**
 * The sandbox in place of Stripe, for trying the product on one's own machine: the same SDK with another host. It starts when
 * it is first needed.
 */
export class SandboxPayments implements Payments {
  readonly mode = 'sandbox'
  readonly realm = 'sandbox'
  readonly #settings: SandboxSettings
  #opened: Promise<Opened> | undefined
  #deliver: Deliver = async () => 503

  constructor(settings: SandboxSettings) {
    this.#settings = settings
  }

  /** Receives its events; set once there is an app. */
  deliverTo(deliver: Deliver): void {
    this.#deliver = deliver
  }

  async openSandbox(): Promise<Sandbox> {
    return (await this.#open()).sandbox
  }

  async ask<T>(work: (stripe: Stripe) => Promise<T>): Promise<T> {
    const { stripe } = await this.#open()
    try {
      return await work(stripe)
    } catch (error) {
      throw toPublicError(error, this.#settings.log)
    }
  }

  async cardFormSettings(): Promise<CardFormSettings> {
    const { sandbox } = await this.#open()
    return { publishableKey: sandbox.publishableKey, sandboxUrl: `${this.#settings.publicUrl}${SANDBOX_PATH}` }
  }

  readEvent(body: Buffer, signature: string, receivedAt: number): Promise<Stripe.Event> {
    return readSignedEvent(body, signature, this.#settings.webhookSecret, receivedAt)
  }

  async close(): Promise<void> {
    await (await this.#opened?.catch(() => undefined))?.sandbox.close()
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#start().catch((error: unknown) => {
      this.#opened = undefined
      throw error
    })
    return this.#opened
  }

  async #start(): Promise<Opened> {
    const { databasePath, publicUrl, clock, webhookSecret } = this.#settings
    const { openSandbox } = await import('@alcove/stripe-sandbox/sandbox')
    const sandbox = await openSandbox({
      databasePath,
      pagesUrl: `${publicUrl}${SANDBOX_PATH}`,
      clock,
      webhookSecret,
      deliver: (body, signature) => this.#deliver(body, signature),
    })
    return { sandbox, stripe: await loadStripe(sandbox.secretKey, sandbox.api) }
  }
}
