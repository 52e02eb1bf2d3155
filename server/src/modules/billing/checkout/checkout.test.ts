import { randomUUID } from 'node:crypto'
import { confirmCheckout, createCheckoutSession, getDashboard, revertToFree } from '@alcove/contract/billing'
import { getStorage } from '@alcove/contract/files'
import { listAudio } from '@alcove/contract/media'
import { FREE_PLAN } from '@alcove/contract/plans'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import {
  DECLINED_CARD,
  FAILING_CARD,
  openTestPayments,
  type TestPayments,
} from '../../../testing/factories/payments.ts'
import type { TestUser } from '../../../testing/factories/users.ts'

const GIGABYTE = 1024 ** 3
const DAY = 24 * 3_600_000

let app: TestApp
let payments: TestPayments
beforeAll(async () => {
  app = await createTestApp({ sessionTtl: 1000 * DAY, sessionMaxAge: 1000 * DAY })
  payments = await openTestPayments(app)
})
afterAll(() => app.close())

async function planOf({ client }: TestUser) {
  const { plan_name, plan_id, allocated_bytes } = (await client.call(getStorage, {})).body
  return { plan_name, plan_id, gigabytes: allocated_bytes / GIGABYTE }
}

async function checkout({ client }: TestUser, planId: number, attemptId?: string) {
  return client.call(createCheckoutSession, { planId, attemptId })
}

async function listAll(user: TestUser) {
  const customer = await payments.customerOf(user)
  return payments.callStripe(async (stripe) => ({
    subscriptions: (await stripe.subscriptions.list({ customer, status: 'all' })).data,
    checkouts: (await stripe.checkout.sessions.list({ customer })).data,
    invoices: (await stripe.invoices.list({ customer })).data,
  }))
}

describe('buying a plan', () => {
  it('opens a payment page, and applies plan and quota when the user returns from it', async () => {
    const user = await app.createUser()
    const { status, body } = await checkout(user, 7)
    expect([status, body.url]).toEqual([
      200,
      expect.stringMatching(/^http:\/\/localhost:5100\/stripe-sandbox\/checkout\/cs_/),
    ])
    expect(await planOf(user)).toEqual({ plan_name: 'free', plan_id: 0, gigabytes: 10 })
    const sessionId = body.url.split('/').at(-1) as string
    expect((await user.client.call(confirmCheckout, { sessionId })).body).toEqual({
      planId: 0,
      planName: 'free',
      status: 'open',
    })
    expect(await payments.pay(body.url)).toBeLessThan(400)
    // The test has not waited for a webhook.
    expect((await user.client.call(confirmCheckout, { sessionId })).body).toEqual({
      planId: 7,
      planName: '2 TB Annually',
      status: 'complete',
    })
    expect(await planOf(user)).toEqual({ plan_name: '2 TB Annually', plan_id: 7, gigabytes: 2048 })
  })

  it('unlocks paid features for the current session at once, until the user reverts to the free plan', async () => {
    const user = await app.createUser()
    const listen = async () => (await user.client.call(listAudio, {})).status
    expect(await listen()).toBe(403)
    await payments.buy(user, 1)
    expect(await listen()).toBe(200)
    await user.client.call(revertToFree, {})
    expect(await listen()).toBe(403)
  })

  it('accepts a plan id that is sent as text', async () => {
    const { client } = await app.createUser()
    expect((await client.raw(createCheckoutSession, { planId: '7' })).status).toBe(200)
  })

  it('applies the plan by webhook if the user never returns from the payment page', async () => {
    const user = await app.createUser()
    await payments.buy(user, 2)
    expect(await planOf(user)).toEqual({ plan_name: '500 GB Monthly', plan_id: 2, gigabytes: 500 })
  })

  it('sells a lifetime plan as one payment with an invoice and no subscription', async () => {
    const user = await app.createUser()
    await payments.buy(user, 11)
    expect(await planOf(user)).toEqual({ plan_name: '2 TB Lifetime', plan_id: 11, gigabytes: 2048 })
    const { body } = await user.client.call(getDashboard, {})
    expect(body.subscription).toMatchObject({
      status: 'lifetime',
      billing_cycle: 'Lifetime',
      price: 399,
      next_billing_date: null,
    })
    expect(body.billing_history).toMatchObject([{ total: 399, status: 'paid', is_prorated: false }])
    expect((await listAll(user)).subscriptions).toEqual([])
  })

  it('changes nothing if the card is declined, and lets the user try another card', async () => {
    const user = await app.createUser()
    const { body } = await checkout(user, 1)
    expect(await payments.pay(body.url, DECLINED_CARD)).toBe(402)
    await payments.settle()
    expect(await planOf(user)).toMatchObject({ plan_id: 0 })
    expect(await payments.pay(body.url)).toBeLessThan(400)
    await payments.settle()
    expect(await planOf(user)).toMatchObject({ plan_id: 1 })
  })

  it.each([
    [0, 400, 'The free plan cannot be bought.'],
    [13, 404, 'This plan was not found.'],
    [999999, 404, 'This plan was not found.'],
    [-1, 400, 'Choose a plan.'],
    [1.5, 400, 'Choose a plan.'],
    ['13', 404, 'This plan was not found.'],
    ['7x', 400, 'Choose a plan.'],
    ['', 400, 'Choose a plan.'],
    [[7], 400, 'Choose a plan.'],
    [null, 400, 'Choose a plan.'],
    [undefined, 400, 'Choose a plan.'],
    [1e300, 400, 'Choose a plan.'],
  ])('refuses plan id %s with status %d', async (planId, status, error) => {
    const { client } = await app.createUser()
    expect(await client.raw(createCheckoutSession, { planId })).toMatchObject({ status, body: { error } })
  })

  it('refuses to sell the current plan again', async () => {
    const user = await app.createUser()
    await payments.buy(user, 3)
    expect(await checkout(user, 3)).toMatchObject({
      status: 409,
      body: { code: 'current_plan', error: 'This is already your plan.' },
    })
  })
})

describe('concurrent and repeated purchases', () => {
  it('opens one payment page for simultaneous clicks, with and without an attempt id', async () => {
    for (const attemptId of [undefined, randomUUID()]) {
      const user = await app.createUser()
      const responses = await Promise.all([1, 2, 3].map(() => checkout(user, 7, attemptId)))
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(new Set(responses.map(({ body }) => body.url)).size).toBe(1)
      expect((await listAll(user)).checkouts).toHaveLength(1)
    }
  })

  // Repeated, so that both requests write at the same moment at least once.
  it.each(Array.from({ length: 12 }, (_, index) => index + 1))(
    'leaves one payment page open when two tabs buy different plans at the same time (%i)',
    async () => {
      const user = await app.createUser()
      const responses = await Promise.all([checkout(user, 7, randomUUID()), checkout(user, 2, randomUUID())])
      const { checkouts } = await listAll(user)
      const open = checkouts.filter(({ status }) => status === 'open')
      expect(open).toHaveLength(1)
      expect(responses.map(({ body }) => body.url)).toContain(open[0]?.url)
      for (const { body } of responses) await payments.pay(body.url)
      await payments.settle()
      expect((await listAll(user)).subscriptions).toHaveLength(1)
    },
  )

  it('closes the payment page of the first plan when a second plan is chosen', async () => {
    const user = await app.createUser()
    const first = await checkout(user, 7)
    const second = await checkout(user, 3)
    expect(await payments.pay(first.body.url)).toBe(410)
    expect(await payments.pay(second.body.url)).toBeLessThan(400)
    await payments.settle()
    expect(await planOf(user)).toMatchObject({ plan_id: 3 })
    expect((await listAll(user)).subscriptions).toHaveLength(1)
  })

  it('returns the same payment page while it is open, and a new one after it has expired', async () => {
    const user = await app.createUser()
    const first = await checkout(user, 7)
    expect((await checkout(user, 7)).body.url).toBe(first.body.url)
    await payments.advance(2 * DAY)
    const sessionId = first.body.url.split('/').at(-1) as string
    expect((await user.client.call(confirmCheckout, { sessionId })).body).toMatchObject({
      status: 'expired',
      planId: 0,
    })
    const second = await checkout(user, 7)
    expect(second.body.url).not.toBe(first.body.url)
    expect(await payments.pay(second.body.url)).toBeLessThan(400)
    await payments.settle()
    expect(await planOf(user)).toMatchObject({ plan_id: 7 })
  })

  it('charges nothing when an attempt is sent again after it was paid', async () => {
    const user = await app.createUser()
    const attemptId = randomUUID()
    for (const planId of [1, 11]) {
      await payments.pay((await checkout(user, planId, attemptId)).body.url)
      await payments.settle()
      app.clock.advance(DAY)
      const { invoices } = await listAll(user)
      expect((await checkout(user, planId, attemptId)).body.url).toBe('http://localhost:5100/account?checkout=changed')
      expect((await listAll(user)).invoices).toEqual(invoices)
    }
  })

  it('cancels the older subscription if a second one is created at Stripe', async () => {
    const user = await app.createUser()
    await payments.buy(user, 1)
    const customer = await payments.customerOf(user)
    app.clock.advance(5000)
    await payments.callStripe(async (stripe) => {
      const { data } = await stripe.prices.list({ lookup_keys: ['alcove_plan_1_199'] })
      const card = await payments.newCard(customer, '4242424242424242')
      const price = data[0]?.id as string
      await stripe.subscriptions.create({ customer, items: [{ price }], default_payment_method: card })
    })
    await payments.settle()
    const { subscriptions } = await listAll(user)
    expect(subscriptions.map(({ status }) => status)).toEqual(['active', 'canceled'])
    expect(await planOf(user)).toMatchObject({ plan_id: 1 })
  })
})

describe('changing the plan', () => {
  it('changes the subscription at once, charges the difference and redirects to the account page', async () => {
    const user = await app.createUser()
    await payments.buy(user, 2)
    app.clock.advance(10 * DAY)
    const { body } = await checkout(user, 4)
    expect(body.url).toBe('http://localhost:5100/account?checkout=changed')
    expect(await planOf(user)).toEqual({ plan_name: '5 TB Monthly', plan_id: 4, gigabytes: 5120 })
    const { subscriptions, invoices } = await listAll(user)
    expect(subscriptions).toHaveLength(1)
    expect(invoices).toHaveLength(2)
    const history = (await user.client.call(getDashboard, {})).body.billing_history
    expect(history.map(({ is_prorated }) => is_prorated)).toEqual([true, false])
    expect(history[0]?.total).toBeGreaterThan(5)
    expect(history[0]?.total).toBeLessThan(15)
  })

  it('downgrades to a smaller plan with another billing period in the same subscription', async () => {
    const user = await app.createUser()
    await payments.buy(user, 8)
    expect((await checkout(user, 1)).status).toBe(200)
    expect(await planOf(user)).toMatchObject({ plan_name: '100 GB Monthly', gigabytes: 100 })
    expect((await listAll(user)).subscriptions).toHaveLength(1)
  })

  it('applies a plan change once when it is sent twice at the same time', async () => {
    const user = await app.createUser()
    await payments.buy(user, 2)
    app.clock.advance(DAY)
    const attemptId = randomUUID()
    const responses = await Promise.all([checkout(user, 3, attemptId), checkout(user, 3, attemptId)])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    const { subscriptions, invoices } = await listAll(user)
    expect([subscriptions.length, invoices.length]).toEqual([1, 2])
    expect((await checkout(user, 3, attemptId)).status).toBe(200)
    expect(await checkout(user, 3)).toMatchObject({ status: 409, body: { code: 'current_plan' } })
    expect((await listAll(user)).invoices).toHaveLength(2)
  })

  it('returns payment_failed and keeps the plan if the card is declined', async () => {
    const user = await app.createUser()
    await payments.buy(user, 2)
    const customer = await payments.customerOf(user)
    const card = await payments.newCard(customer, FAILING_CARD)
    await payments.callStripe(async (stripe) => {
      const { data } = await stripe.subscriptions.list({ customer })
      await stripe.subscriptions.update(data[0]?.id as string, { default_payment_method: card })
    })
    const response = await checkout(user, 4)
    expect(response).toMatchObject({ status: 402, body: { code: 'payment_failed', error: 'Your card was declined.' } })
    await payments.settle()
    expect(await planOf(user)).toMatchObject({ plan_id: 2 })
    const { subscriptions } = await listAll(user)
    expect(subscriptions).toMatchObject([{ status: 'active' }])
  })

  it('withdraws a cancellation that was scheduled for the end of the period', async () => {
    const user = await app.createUser()
    await payments.buy(user, 2)
    const customer = await payments.customerOf(user)
    await payments.callStripe(async (stripe) => {
      const { data } = await stripe.subscriptions.list({ customer })
      await stripe.subscriptions.update(data[0]?.id as string, { cancel_at_period_end: true })
    })
    await payments.settle()
    const before = (await user.client.call(getDashboard, {})).body.subscription
    expect(before).toMatchObject({ status: 'active', cancelAtPeriodEnd: true, next_billing_date: null })
    expect(before.endsAt).toEqual(expect.any(String))
    await checkout(user, 3)
    expect((await user.client.call(getDashboard, {})).body.subscription).toMatchObject({
      cancelAtPeriodEnd: false,
      endsAt: null,
    })
  })
})

describe('a lifetime plan', () => {
  it('cancels the running subscription when a lifetime plan is bought', async () => {
    const user = await app.createUser()
    await payments.buy(user, 4)
    app.clock.advance(DAY)
    await payments.buy(user, 10)
    expect(await planOf(user)).toMatchObject({ plan_name: '500 GB Lifetime', gigabytes: 500 })
    expect((await listAll(user)).subscriptions).toMatchObject([{ status: 'canceled' }])
  })

  it('refuses plans no larger than the lifetime plan that the user owns, and sells a larger one', async () => {
    const user = await app.createUser()
    await payments.buy(user, 10)
    for (const planId of [9, 1, 2, 6]) {
      expect(await checkout(user, planId)).toMatchObject({
        status: 409,
        body: { code: 'state_conflict', error: expect.stringContaining('500 GB Lifetime') },
      })
    }
    app.clock.advance(DAY)
    await payments.buy(user, 11)
    expect(await planOf(user)).toMatchObject({ plan_id: 11 })
  })

  it('returns to the lifetime plan when a larger subscription ends', async () => {
    const user = await app.createUser()
    await payments.buy(user, 9)
    app.clock.advance(DAY)
    await payments.buy(user, 3)
    expect(await planOf(user)).toMatchObject({ plan_name: '2 TB Monthly' })
    const customer = await payments.customerOf(user)
    await payments.callStripe(async (stripe) => {
      const { data } = await stripe.subscriptions.list({ customer })
      await stripe.subscriptions.cancel(data[0]?.id as string)
    })
    await payments.settle()
    expect(await planOf(user)).toMatchObject({ plan_name: '100 GB Lifetime', gigabytes: 100 })
  })
})

describe('reverting to the free plan', () => {
  it('ends the subscription at once, sends one mail and can be repeated', async () => {
    const user = await app.createUser()
    await payments.buy(user, 7)
    const responses = await Promise.all([1, 2].map(() => user.client.call(revertToFree, {})))
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect((await user.client.call(revertToFree, {})).body).toEqual({ message: 'You are on the free plan now.' })
    expect(await planOf(user)).toEqual({ plan_name: 'free', plan_id: 0, gigabytes: FREE_PLAN.allocation / GIGABYTE })
    await payments.settle()
    expect((await listAll(user)).subscriptions).toMatchObject([{ status: 'canceled' }])
    expect(await planOf(user)).toMatchObject({ plan_id: 0 })
    const about = (await app.readMails()).filter((mail) => mail.includes(user.email) && mail.includes('plan has ended'))
    expect(about).toHaveLength(1)
    expect(about[0]).toContain('You ended your plan')
  })

  it('gives up a lifetime plan, which can be bought again', async () => {
    const user = await app.createUser()
    await payments.buy(user, 9)
    const { body } = await user.client.call(revertToFree, {})
    expect(body.message).toBe('You are on the free plan now. Your lifetime plan has been given up.')
    await payments.settle()
    expect(await planOf(user)).toMatchObject({ plan_id: 0 })
    app.clock.advance(DAY)
    await payments.buy(user, 9)
    expect(await planOf(user)).toMatchObject({ plan_id: 9 })
  })

  it('closes an open payment page when the user reverts to the free plan', async () => {
    const user = await app.createUser()
    const { body } = await checkout(user, 7)
    expect((await user.client.call(revertToFree, {})).status).toBe(200)
    expect(await payments.pay(body.url)).toBe(410)
  })

  it('ends a granted plan, and changes nothing for a user on the free plan', async () => {
    const user = await app.createUser({ planName: '2 TB Annually' })
    expect((await user.client.call(revertToFree, {})).status).toBe(200)
    expect(await planOf(user)).toMatchObject({ plan_id: 0, plan_name: 'free' })
    expect((await user.client.call(revertToFree, {})).status).toBe(200)
  })
})

describe('returning from the payment page', () => {
  it('rejects a checkout session id that is foreign, unknown or malformed', async () => {
    const [user, other] = [await app.createUser(), await app.createUser()]
    const foreign = (await checkout(other, 7)).body.url.split('/').at(-1) as string
    await checkout(user, 7)
    for (const sessionId of [foreign, 'cs_test_nothing', 'sub_1', '../customers', 'x', '%00', 'cs_../../customers']) {
      const response = await user.client.call(confirmCheckout, { sessionId })
      expect(response).toMatchObject({ status: 404, body: { code: 'not_found', error: 'This payment was not found.' } })
    }
    for (const sessionId of ['', 'x'.repeat(300), 7, null, {}]) {
      expect((await user.client.raw(confirmCheckout, { sessionId })).status).toBe(400)
    }
  })

  it('returns the current plan without a session id, even for a user who never paid', async () => {
    const user = await app.createUser()
    expect((await user.client.call(confirmCheckout, {})).body).toEqual({
      planId: 0,
      planName: 'free',
      status: 'complete',
    })
  })

  it('sends one receipt if the user returns at the same moment as the webhook arrives', async () => {
    const user = await app.createUser()
    const { body } = await checkout(user, 7)
    await payments.pay(body.url)
    const sessionId = body.url.split('/').at(-1) as string
    await Promise.all([
      payments.settle(),
      user.client.call(confirmCheckout, { sessionId }),
      user.client.call(confirmCheckout, { sessionId }),
    ])
    await payments.settle()
    expect(await planOf(user)).toMatchObject({ plan_id: 7 })
    const receipts = (await app.readMails()).filter((mail) => mail.includes(user.email) && mail.includes('receipt'))
    expect(receipts).toHaveLength(1)
    expect(receipts[0]).toContain('$99.99')
  })
})
