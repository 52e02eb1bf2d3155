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
  /** The events that the webhook received. */
  events: Stripe.Event[]
  /** The next statuses of the webhook; 200 if empty. */
  responses: number[]
  typesSince(count: number): string[]
}

/** Opens a sandbox in memory, with the official SDK and a webhook that verifies its events. */
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

/** Returns the error of a call. Throws if it succeeded. */
export async function refusalOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome instanceof Stripe.errors.StripeError) return outcome
  throw new Error(`It was not refused by Stripe: ${outcome}`)
}

interface Shown {
  status: number
  text: string
  location: string | undefined
}

const PREFIX = 'http://localhost:5100'

/** Opens an address of the hosted pages, as a browser would. */
export async function open({ pages }: TestSandbox, url: string): Promise<Shown> {
  return shown(await pages.inject({ method: 'GET', url: url.replace(PREFIX, '') }))
}

/** Sends a form. */
export async function submit({ pages }: TestSandbox, url: string, fields: Record<string, string>): Promise<Shown> {
  const payload = new URLSearchParams(fields).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return shown(await pages.inject({ method: 'POST', url: url.replace(PREFIX, ''), headers, payload }))
}

function shown(response: { statusCode: number; body: string; headers: Record<string, unknown> }): Shown {
  const { location } = response.headers
  return {
    status: response.statusCode,
    text: response.body,
    location: typeof location === 'string' ? location : undefined,
  }
}

/** Returns a card form with a valid card. */
export function cardForm(fields: Record<string, string> = {}): Record<string, string> {
  const card = { number: '4242 4242 4242 4242', expiry: '08 / 29', cvc: '123' }
  return { ...card, name: 'Mara Oyelaran', ...fields }
}

/** Creates a customer with a default card. */
export async function createPayingCustomer({ stripe }: TestSandbox, card = 'pm_card_visa'): Promise<Stripe.Customer> {
  const customer = await stripe.customers.create({ email: 'mara@example.com', metadata: { userId: 'u1' } })
  const { id } = await stripe.paymentMethods.attach(card, { customer: customer.id })
  return stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: id } })
}

/** Creates a price whose lookup key is its name. */
export async function createPlan(
  { stripe }: TestSandbox,
  name: string,
  cents: number,
  interval?: 'month' | 'year',
): Promise<Stripe.Price> {
  const product = await stripe.products.create({ name })
  return stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: cents,
    lookup_key: name,
    ...(interval && { recurring: { interval } }),
  })
}

export async function subscribe(
  { stripe }: TestSandbox,
  customer: Stripe.Customer,
  price: Stripe.Price,
): Promise<Stripe.Subscription> {
  return stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] })
}

/** Returns the item of a subscription. */
export function itemIn(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data
  if (!item) throw new Error('A subscription has an item.')
  return item
}
