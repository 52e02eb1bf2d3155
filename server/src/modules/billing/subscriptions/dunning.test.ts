import { createCheckoutSession, getDashboard, revertToFree } from '@alcove/contract/billing'
import { getStorage } from '@alcove/contract/files'
import { PAYMENT_GRACE } from '@alcove/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '../../../platform/clock.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { FAILING_CARD, GOOD_CARD, openTestPayments, type TestPayments } from '../../../testing/factories/payments.ts'
import type { TestUser } from '../../../testing/factories/users.ts'
import { endUnpaidPlans } from './end-unpaid-plans.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let app: TestApp
let payments: TestPayments
beforeAll(async () => {
  app = await createTestApp({ sessionTtl: 1000 * DAY, sessionMaxAge: 1000 * DAY })
  payments = await openTestPayments(app)
})
afterAll(() => app.close())

async function readSubscription({ client }: TestUser) {
  return (await client.call(getDashboard, {})).body.subscription
}

async function mailsAbout({ email }: TestUser, subject: string): Promise<string[]> {
  return (await app.readMails()).filter((mail) => mail.includes(`To: ${email}`) && mail.includes(`Subject: ${subject}`))
}

/** Gives a user's subscription a card that is declined, and returns the subscription's id. */
async function breakCard(user: TestUser): Promise<string> {
  const customer = await payments.customerOf(user)
  const card = await payments.newCard(customer, FAILING_CARD)
  return payments.callStripe(async (stripe) => {
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } })
    const { data } = await stripe.subscriptions.list({ customer })
    const id = data[0]?.id as string
    await stripe.subscriptions.update(id, { default_payment_method: card })
    return id
  })
}

async function statusAtStripe(id: string): Promise<string> {
  return (await payments.callStripe((stripe) => stripe.subscriptions.retrieve(id))).status
}

/** Creates a subscriber of a monthly plan whose renewal has just failed. */
async function createDebtor() {
  const user = await app.createUser()
  await payments.buy(user, 3)
  const id = await breakCard(user)
  const { next_billing_date } = await readSubscription(user)
  await payments.advance(Date.parse(next_billing_date as string) - app.clock.now() + HOUR)
  return { user, id }
}

describe('a renewal', () => {
  it('moves the next billing date forward and sends a receipt for each payment', async () => {
    const user = await app.createUser()
    await payments.buy(user, 3)
    const first = await readSubscription(user)
    await payments.advance(31 * DAY + HOUR)
    const second = await readSubscription(user)
    expect(second).toMatchObject({ status: 'active', plan: '2 TB Monthly', graceUntil: null })
    expect(Date.parse(second.next_billing_date as string)).toBeGreaterThan(
      Date.parse(first.next_billing_date as string),
    )
    expect(await mailsAbout(user, 'Your Alcove receipt')).toHaveLength(2)
  })
})

describe('a failed renewal', () => {
  it('keeps the plan for the grace period, shows its end and sends one mail', async () => {
    const { user } = await createDebtor()
    const subscription = await readSubscription(user)
    expect(subscription).toMatchObject({ plan: '2 TB Monthly', status: 'past_due', next_billing_date: null })
    const until = Date.parse(subscription.graceUntil as string)
    expect(until).toBeGreaterThan(app.clock.now() + 6 * DAY)
    expect(until).toBeLessThanOrEqual(app.clock.now() + PAYMENT_GRACE)
    expect((await user.client.call(getStorage, {})).body).toMatchObject({ plan_id: 3 })
    await payments.advance(2 * DAY)
    await payments.advance(2 * DAY)
    expect(await readSubscription(user)).toMatchObject({ status: 'past_due', graceUntil: subscription.graceUntil })
    expect(await mailsAbout(user, 'Your Alcove payment failed')).toHaveLength(1)
  })

  it('ends the plan after the grace period, also at Stripe, with one mail', async () => {
    const { user, id } = await createDebtor()
    const until = Date.parse((await readSubscription(user)).graceUntil as string)
    // A minute before the sandbox would cancel the subscription itself. Stripe may do that much later.
    app.clock.advance(until - app.clock.now() - 60_000)
    await endUnpaidPlans({ ...app.services, clock: { now: () => until - 1 } })
    expect(await readSubscription(user)).toMatchObject({ plan: '2 TB Monthly', status: 'past_due' })
    const services = { ...app.services, clock: { now: () => until } }
    await Promise.all([endUnpaidPlans(services), endUnpaidPlans(services)])
    expect(await readSubscription(user)).toMatchObject({ plan: 'free', status: 'free', graceUntil: null, price: 0 })
    expect(await statusAtStripe(id)).toBe('canceled')
    await payments.advance(2 * DAY)
    expect(await readSubscription(user)).toMatchObject({ plan: 'free', status: 'free' })
    const mails = await mailsAbout(user, 'Your Alcove plan has ended')
    expect(mails).toHaveLength(1)
    expect(mails[0]).toContain('failed repeatedly')
  })

  it('lets the user buy a plan after the grace period before the old one has ended at Stripe', async () => {
    const { user, id } = await createDebtor()
    const until = Date.parse((await readSubscription(user)).graceUntil as string)
    app.clock.advance(until - app.clock.now() - 60_000)
    // The server's clock is a little ahead of the sandbox's, which would otherwise end the subscription itself.
    const services: { clock: Clock } = app.services
    services.clock = { now: () => until }
    try {
      const { status, body } = await user.client.call(createCheckoutSession, { planId: 3 })
      expect([status, body.url]).toEqual([200, expect.stringContaining('/checkout/cs_')])
      expect(await statusAtStripe(id)).toBe('canceled')
    } finally {
      services.clock = app.clock
    }
  })

  it('keeps the plan active after another card pays within the grace period', async () => {
    const { user } = await createDebtor()
    const customer = await payments.customerOf(user)
    const card = await payments.newCard(customer, GOOD_CARD)
    await payments.callStripe(async (stripe) => {
      const { data } = await stripe.invoices.list({ customer, status: 'open' })
      await stripe.invoices.pay(data[0]?.id as string, { payment_method: card })
    })
    await payments.settle()
    expect(await readSubscription(user)).toMatchObject({ plan: '2 TB Monthly', status: 'active', graceUntil: null })
    app.clock.advance(PAYMENT_GRACE)
    await endUnpaidPlans(app.services)
    expect(await readSubscription(user)).toMatchObject({ plan: '2 TB Monthly', status: 'active' })
    expect(await mailsAbout(user, 'Your Alcove plan has ended')).toHaveLength(0)
  })

  it('lets the user revert to the free plan after a failed renewal', async () => {
    const { user, id } = await createDebtor()
    expect((await user.client.call(revertToFree, {})).status).toBe(200)
    expect(await readSubscription(user)).toMatchObject({ plan: 'free', graceUntil: null })
    expect(await statusAtStripe(id)).toBe('canceled')
  })
})

describe("the sandbox's test clock", () => {
  it('simulates a renewal, a failed one and the end of a plan while the server clock stands still', async () => {
    const own = await createTestApp()
    try {
      const { buy, sandbox, settle, customerOf, newCard, callStripe } = await openTestPayments(own)
      const user = await own.createUser()
      await buy(user, 3)
      const first = (await readSubscription(user)).next_billing_date as string
      await sandbox.advance(Date.parse(first) - own.clock.now())
      await settle()
      const renewed = await readSubscription(user)
      expect(renewed.status).toBe('active')
      expect(Date.parse(renewed.next_billing_date as string)).toBeGreaterThan(Date.parse(first))
      const customer = await customerOf(user)
      const card = await newCard(customer, FAILING_CARD)
      await callStripe(async (stripe) => {
        const { data } = await stripe.subscriptions.list({ customer })
        await stripe.subscriptions.update(data[0]?.id as string, { default_payment_method: card })
      })
      await sandbox.advance(32 * DAY)
      await settle()
      expect(await readSubscription(user)).toMatchObject({ plan: '2 TB Monthly', status: 'past_due' })
      await sandbox.advance(PAYMENT_GRACE)
      await settle()
      expect(await readSubscription(user)).toMatchObject({ plan: 'free', status: 'free' })
    } finally {
      await own.close()
    }
  })
})

describe('a plan that was cancelled for the end of its period', () => {
  it('keeps a cancelled plan until the end of its period and then sends a mail', async () => {
    const user = await app.createUser()
    await payments.buy(user, 3)
    const customer = await payments.customerOf(user)
    await payments.callStripe(async (stripe) => {
      const { data } = await stripe.subscriptions.list({ customer })
      await stripe.subscriptions.update(data[0]?.id as string, { cancel_at_period_end: true })
    })
    await payments.advance(20 * DAY)
    expect(await readSubscription(user)).toMatchObject({ plan: '2 TB Monthly', cancelAtPeriodEnd: true })
    await payments.advance(12 * DAY)
    expect(await readSubscription(user)).toMatchObject({ plan: 'free', cancelAtPeriodEnd: false, endsAt: null })
    const mails = await mailsAbout(user, 'Your Alcove plan has ended')
    expect(mails).toHaveLength(1)
    expect(mails[0]).toContain('paid period has ended')
  })
})
