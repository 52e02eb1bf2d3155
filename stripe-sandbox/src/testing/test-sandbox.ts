import Fastify, { type FastifyInstance } from 'fastify'
import Stripe from 'stripe'
import { openSandbox, type Sandbox, type SandboxOptions } from '../sandbox.ts'

const WEBHOOK_SECRET = 'whsec_of_the_tests'
export const DAY = 86_400_000
/** 31 January 2026, noon: months have different lengths. */
export const START = Date.UTC(2026, 0, 31, 12)

export interface TestSandbox extends AsyncDisposable {
  sandbox: Sandbox
  stripe: Stripe
  /** The hosted pages, as the product serves them. */
  pages: FastifyInstance
  clock: { now(): number; time: number }
  /** What the webhook was given, as the SDK reads it. */
  events: Stripe.Event[]
  /** The statuses that the webhook answers next; 200 when there is none. */
  responses: number[]
  typesSince(count: number): string[]
}

/** A sandbox in memory, the official SDK that talks to it, and a webhook that checks what it is given. */
export async function openTestSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const clock = {
    time: START,
    now() {
      return this.time
    },
  }
  const events: Stripe.Event[] = []
  const responses: number[] = []
  const sandbox = await openSandbox({
    databasePath: ':memory:',
    pagesUrl: 'http://localhost:5100/stripe-sandbox',
    clock,
    webhookSecret: WEBHOOK_SECRET,
    deliver: async (body, signature) => {
      events.push(stripe.webhooks.constructEvent(body, signature, WEBHOOK_SECRET, undefined, undefined, clock.now()))
      return responses.shift() ?? 200
    },
    ...options,
  })
  const stripe = new Stripe(sandbox.secretKey, { ...sandbox.api, protocol: 'http', maxNetworkRetries: 0 })
  const pages = Fastify()
  await pages.register(sandbox.pages, { prefix: '/stripe-sandbox' })
  return {
    sandbox,
    stripe,
    pages,
    clock,
    events,
    responses,
    typesSince: (count) => events.slice(count).map(({ type }) => type),
    async [Symbol.asyncDispose]() {
      await pages.close()
      await sandbox.close()
    },
  }
}

/** What a call was refused with. */
export async function refusalOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome instanceof Stripe.errors.StripeError) return outcome
  throw new Error(`It was not refused by Stripe: ${outcome}`)
}
