import { createCheckoutSession } from '@alcove/contract/billing'
import { PAYMENT_GRACE } from '@alcove/contract/limits'
import { allocationOf, FREE_PLAN, type Plan, planNameOf, plans } from '@alcove/contract/plans'
import type Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SandboxPayments } from '../../../platform/payments/sandbox-payments.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { FAILING_CARD, GOOD_CARD, openTestPayments, type TestPayments } from '../../../testing/factories/payments.ts'
import type { TestUser } from '../../../testing/factories/users.ts'
import { ensurePrice } from '../prices.ts'
import { syncCustomers } from './sync-customers.ts'
import { syncSubscription } from './sync-subscription.ts'

const DAY = 24 * 3_600_000
const SEEDS = [1, 2, 3, 4]
const STEPS = 14

interface Webhook {
  body: string
  signature: string
}

const findPlan = (planId: number) => plans.find((plan) => plan.planId === planId)

let app: TestApp
let payments: TestPayments
/** Every webhook so far. Only the test delivers them. */
let webhooks: Webhook[]
beforeEach(async () => {
  app = await createTestApp({ sessionTtl: 1000 * DAY, sessionMaxAge: 1000 * DAY })
  payments = await openTestPayments(app)
  webhooks = []
  if (!(app.services.payments instanceof SandboxPayments)) throw new Error('no sandbox')
  app.services.payments.deliverTo(async (body, signature) => {
    webhooks.push({ body, signature })
    return 200
  })
})
afterEach(() => app.close())

/** Creates a generator that returns the same numbers for the same seed. */
function createRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T
  return { next, pick }
}
type Random = ReturnType<typeof createRandom>

async function deliver({ body, signature }: Webhook): Promise<void> {
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  const { status } = await app.visitor.request({ method: 'POST', url: '/api/stripe/webhook', headers, payload: body })
  // A webhook that is too old is rejected, so it counts as lost.
  expect([200, 400]).toContain(status)
}

/** Delivers some of all webhooks so far in random order, some of them twice and several at the same time. */
async function deliverSome(random: Random): Promise<void> {
  for (let batches = Math.floor(random.next() * 3); batches > 0; batches--) {
    const batch = Array.from({ length: Math.ceil(random.next() * 4) }, () => random.pick(webhooks))
    await Promise.all(batch.filter(Boolean).map(deliver))
  }
}

/** Changes to a customer at Stripe. Those that are impossible in the current state fail and are ignored. */
const changes: Record<string, (stripe: Stripe, customer: string, random: Random) => Promise<unknown>> = {
  subscribe: async (stripe, customer, random) => {
    const price = await ensurePrice(stripe, random.pick(plans.filter(({ period }) => period !== 'Lifetime')))
    const card = await payments.newCard(customer, GOOD_CARD)
    await stripe.subscriptions.create({ customer, items: [{ price: price.id }], default_payment_method: card })
  },
  change: async (stripe, customer, random) => {
    const [subscription] = await listRunning(stripe, customer)
    const price = await ensurePrice(stripe, random.pick(plans.filter(({ period }) => period === 'Monthly')))
    const items = [{ id: subscription?.items.data[0]?.id as string, price: price.id }]
    await stripe.subscriptions.update(subscription?.id as string, { items, proration_behavior: 'always_invoice' })
  },
  cancel: async (stripe, customer) =>
    stripe.subscriptions.cancel((await listRunning(stripe, customer))[0]?.id as string),
  cancelLater: async (stripe, customer, random) =>
    stripe.subscriptions.update((await listRunning(stripe, customer))[0]?.id as string, {
      cancel_at_period_end: random.next() < 0.7,
    }),
  breakCard: async (stripe, customer) =>
    stripe.subscriptions.update((await listRunning(stripe, customer))[0]?.id as string, {
      default_payment_method: await payments.newCard(customer, FAILING_CARD),
    }),
  payDebt: async (stripe, customer) => {
    const { data } = await stripe.invoices.list({ customer, status: 'open' })
    await stripe.invoices.pay(data[0]?.id as string, { payment_method: await payments.newCard(customer, GOOD_CARD) })
  },
  buyForGood: async (stripe, customer, random) => {
    const plan = random.pick(plans.filter(({ period, tier }) => period === 'Lifetime' && tier !== '5 TB'))
    const price = await ensurePrice(stripe, plan)
    const { url } = await stripe.checkout.sessions.create({
      customer,
      mode: 'payment',
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: 'http://localhost:5100/account',
      payment_intent_data: { metadata: { planId: String(plan.planId) } },
      invoice_creation: { enabled: true, invoice_data: { metadata: { planId: String(plan.planId) } } },
    })
    await payments.pay(url as string)
  },
  timePasses: async (_stripe, _customer, random) => app.clock.advance(random.pick([1, 5, 20, 40]) * DAY),
}

async function listRunning(stripe: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  const { data } = await stripe.subscriptions.list({ customer })
  return data.filter(({ status }) => ['active', 'trialing', 'past_due'].includes(status))
}

/** Returns the plan that follows from the state at Stripe, computed independently of the product. */
async function expectedPlan(stripe: Stripe, customer: string): Promise<Plan | undefined> {
  const subscriptions = await listRunning(stripe, customer)
  expect(subscriptions.length).toBeLessThanOrEqual(1)
  const paid: (Plan | undefined)[] = []
  for await (const { status, metadata } of stripe.paymentIntents.list({ customer })) {
    if (status === 'succeeded' && metadata.planId) paid.push(findPlan(Number(metadata.planId)))
  }
  for (const { status, items, latest_invoice } of subscriptions) {
    const invoice = await stripe.invoices.retrieve(latest_invoice as string)
    const isLapsed = status === 'past_due' && invoice.created * 1000 + PAYMENT_GRACE <= app.clock.now()
    if (!isLapsed) paid.push(findPlan(Number(items.data[0]?.price.metadata.planId)))
  }
  return paid.filter((plan) => plan !== undefined).toSorted((a, b) => allocationOf(b) - allocationOf(a))[0]
}

async function assertSameAsAtStripe(user: TestUser, customer: string): Promise<void> {
  const plan = await payments.callStripe((stripe) => expectedPlan(stripe, customer))
  const row = await app.services.db
    .selectFrom('users')
    .select(['plan_name', 'allocated_bytes'])
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  // Of two plans of the same size, either is right.
  expect(row.allocated_bytes).toBe(plan ? allocationOf(plan) : FREE_PLAN.allocation)
  if (!plan) expect(row.plan_name).toBe(FREE_PLAN.planName)
  else if (plan.period !== 'Lifetime') expect(row.plan_name.split(' ').slice(0, 2).join(' ')).toBe(plan.tier)
  else expect([planNameOf(plan), row.plan_name]).toContain(row.plan_name)
}

describe('the stored plan', () => {
  it.each(SEEDS)(
    'converges to the state at Stripe after lost, repeated and reordered webhooks (seed %d)',
    async (seed) => {
      const random = createRandom(seed)
      const user = await app.createUser()
      await user.client.call(createCheckoutSession, { planId: 1 })
      const customer = await payments.customerOf(user)
      for (let step = 0; step < STEPS; step++) {
        const change = changes[random.pick(Object.keys(changes))]
        // Purchases are ordered by times in whole seconds, and a real purchase takes longer than a second.
        app.clock.advance(5000)
        await app.services.payments
          .ask((stripe) => change?.(stripe, customer, random) as Promise<unknown>)
          .catch(() => {})
        await payments.settle()
        await deliverSome(random)
        if (random.next() < 0.3 || step === STEPS - 1) {
          await syncCustomers(app.services, new AbortController().signal)
          await assertSameAsAtStripe(user, customer)
        }
      }
    },
  )

  it('matches the state at Stripe after a single webhook, even an outdated one', async () => {
    const user = await app.createUser()
    await payments.buy(user, 2)
    const customer = await payments.customerOf(user)
    await payments.callStripe(async (stripe) => {
      const [subscription] = await listRunning(stripe, customer)
      const price = await ensurePrice(stripe, findPlan(4) as Plan)
      const items = [{ id: subscription?.items.data[0]?.id as string, price: price.id }]
      await stripe.subscriptions.update(subscription?.id as string, { items })
    })
    await payments.settle()
    await assertIsBehind(user)
    // The first webhook about the subscription, which still names the old plan.
    const old = webhooks.find(({ body }) => body.includes('customer.subscription.created')) as Webhook
    await deliver(old)
    await assertSameAsAtStripe(user, customer)
  })
})

describe('a late response from Stripe', () => {
  it('does not overwrite the result of a later request', async () => {
    const user = await app.createUser()
    await payments.buy(user, 2)
    const customer = await payments.customerOf(user)
    const { payments: provider } = app.services
    const { promise: mayReturn, resolve: release } = Promise.withResolvers<void>()
    const { promise: hasAsked, resolve: noteAsked } = Promise.withResolvers<void>()
    const slowProvider: Pick<typeof provider, 'ask' | 'realm'> = {
      realm: provider.realm,
      ask: async (work) => {
        const response = await provider.ask(work)
        noteAsked()
        await mayReturn
        return response
      },
    }
    const late = syncSubscription({ ...app.services, payments: slowProvider as typeof provider }, customer)
    await hasAsked
    await payments.callStripe(async (stripe) => {
      const [subscription] = await listRunning(stripe, customer)
      await stripe.subscriptions.cancel(subscription?.id as string)
    })
    await syncSubscription(app.services, customer)
    await assertSameAsAtStripe(user, customer)
    release()
    await late
    await assertSameAsAtStripe(user, customer)
  })
})

async function assertIsBehind({ id }: TestUser): Promise<void> {
  const row = await app.services.db.selectFrom('users').select('plan_id').where('id', '=', id).executeTakeFirst()
  expect(row?.plan_id).toBe(0)
}
