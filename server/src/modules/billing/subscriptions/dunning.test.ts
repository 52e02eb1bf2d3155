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

/** The subscription of a user, with a card that will be declined from now on. */
async function breakCard(user: TestUser): Promise<string> {
  const customer = await payments.customerOf(user)
  const card = await payments.newCard(customer, FAILING_CARD)
  return payments.ask(async (stripe) => {
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } })
    const { data } = await stripe.subscriptions.list({ customer })
    const id = data[0]?.id as string
    await stripe.subscriptions.update(id, { default_payment_method: card })
    return id
  })
}

async function statusAtStripe(id: string): Promise<string> {
  return (await payments.ask((stripe) => stripe.subscriptions.retrieve(id))).status
}

/** A subscriber of a monthly plan whose renewal has just failed. */
async function createDebtor() {
  const user = await app.createUser()
  await payments.buy(user, 3)
  const id = await breakCard(user)
  const { next_billing_date } = await readSubscription(user)
  await payments.pass(Date.parse(next_billing_date as string) - app.clock.now() + HOUR)
  return { user, id }
}

describe('a renewal', () => {
  it('moves the next date of payment on, and brings a receipt each time', async () => {
    const user = await app.createUser()
    await payments.buy(user, 3)
    const first = await readSubscription(user)
    await payments.pass(31 * DAY + HOUR)
    const second = await readSubscription(user)
    expect(second).toMatchObject({ status: 'active', plan: '2 TB Monthly', graceUntil: null })
    expect(Date.parse(second.next_billing_date as string)).toBeGreaterThan(
      Date.parse(first.next_billing_date as string),
    )
    expect(await mailsAbout(user, 'Your Alcove receipt')).toHaveLength(2)
  })
})

describe('a renewal that fails', () => {
  it('leaves the plan for a week, says until when, and sends one mail', async () => {
    const { user } = await createDebtor()
    const subscription = await readSubscription(user)
    expect(subscription).toMatchObject({ plan: '2 TB Monthly', status: 'past_due', next_billing_date: null })
    const until = Date.parse(subscription.graceUntil as string)
    expect(until).toBeGreaterThan(app.clock.now() + 6 * DAY)
    expect(until).toBeLessThanOrEqual(app.clock.now() + PAYMENT_GRACE)
    expect((await user.client.call(getStorage, {})).body).toMatchObject({ plan_id: 3 })
    await payments.pass(2 * DAY)
    await payments.pass(2 * DAY)
    expect(await readSubscription(user)).toMatchObject({ status: 'past_due', graceUntil: subscription.graceUntil })
    expect(await mailsAbout(user, 'Your Alcove payment failed')).toHaveLength(1)
  })

  it('takes the plan away after that week, at Stripe too, with one mail, and deletes nothing', async () => {
    const { user, id } = await createDebtor()
    const until = Date.parse((await readSubscription(user)).graceUntil as string)
    // A minute before the sandbox gives up by itself, which Stripe may be set to do much later.
    app.clock.advance(until - app.clock.now() - 60_000)
    await endUnpaidPlans({ ...app.services, clock: { now: () => until - 1 } })
    expect(await readSubscription(user)).toMatchObject({ plan: '2 TB Monthly', status: 'past_due' })
    const services = { ...app.services, clock: { now: () => until } }
    await Promise.all([endUnpaidPlans(services), endUnpaidPlans(services)])
    expect(await readSubscription(user)).toMatchObject({ plan: 'free', status: 'free', graceUntil: null, price: 0 })
    expect(await statusAtStripe(id)).toBe('canceled')
    await payments.pass(2 * DAY)
    expect(await readSubscription(user)).toMatchObject({ plan: 'free', status: 'free' })
    const mails = await mailsAbout(user, 'Your Alcove plan has ended')
    expect(mails).toHaveLength(1)
    expect(mails[0]).toContain('kept failing')
  })

  it('lets a plan be bought anew once the week is over, also before Stripe has been told', async () => {
    const { user, id } = await createDebtor()
    const until = Date.parse((await readSubscription(user)).graceUntil as string)
    app.clock.advance(until - app.clock.now() - 60_000)
    // The product's clock is a little ahead of the sandbox's, which would end the subscription by itself.
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

  it('is forgotten once another card has paid in time', async () => {
    const { user } = await createDebtor()
    const customer = await payments.customerOf(user)
    const card = await payments.newCard(customer, GOOD_CARD)
    await payments.ask(async (stripe) => {
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

  it('does not keep anybody from going back to the free plan', async () => {
    const { user, id } = await createDebtor()
    expect((await user.client.call(revertToFree, {})).status).toBe(200)
    expect(await readSubscription(user)).toMatchObject({ plan: 'free', graceUntil: null })
    expect(await statusAtStripe(id)).toBe('canceled')
  })
})

describe('the test clock of the sandbox', () => {
  it('shows a renewal, one that fails, and the end, while the clock of the product stands still', async () => {
    const own = await createTestApp()
    try {
      const { buy, sandbox, settle, customerOf, newCard, ask } = await openTestPayments(own)
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
      await ask(async (stripe) => {
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
  it('stays until then, and ends with a mail', async () => {
    const user = await app.createUser()
    await payments.buy(user, 3)
    const customer = await payments.customerOf(user)
    await payments.ask(async (stripe) => {
      const { data } = await stripe.subscriptions.list({ customer })
      await stripe.subscriptions.update(data[0]?.id as string, { cancel_at_period_end: true })
    })
    await payments.pass(20 * DAY)
    expect(await readSubscription(user)).toMatchObject({ plan: '2 TB Monthly', cancelAtPeriodEnd: true })
    await payments.pass(12 * DAY)
    expect(await readSubscription(user)).toMatchObject({ plan: 'free', cancelAtPeriodEnd: false, endsAt: null })
    const mails = await mailsAbout(user, 'Your Alcove plan has ended')
    expect(mails).toHaveLength(1)
    expect(mails[0]).toContain('paid time is over')
  })
})
