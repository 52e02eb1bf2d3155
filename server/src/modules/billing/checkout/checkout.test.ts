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
  return payments.ask(async (stripe) => ({
    subscriptions: (await stripe.subscriptions.list({ customer, status: 'all' })).data,
    checkouts: (await stripe.checkout.sessions.list({ customer })).data,
    invoices: (await stripe.invoices.list({ customer })).data,
  }))
}

describe('buying a plan', () => {
  it('leads to a page to pay on, and plan and quota are there as soon as one is back', async () => {
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
    // No webhook has been waited for.
    expect((await user.client.call(confirmCheckout, { sessionId })).body).toEqual({
      planId: 7,
      planName: '2 TB Annually',
      status: 'complete',
    })
    expect(await planOf(user)).toEqual({ plan_name: '2 TB Annually', plan_id: 7, gigabytes: 2048 })
  })

  it('opens what is part of the paid plans at once, for the session that there is, and a revert closes it', async () => {
    const user = await app.createUser()
    const listen = async () => (await user.client.call(listAudio, {})).status
    expect(await listen()).toBe(403)
    await payments.buy(user, 1)
    expect(await listen()).toBe(200)
    await user.client.call(revertToFree, {})
    expect(await listen()).toBe(403)
  })

  it('takes the number of a plan as text too, as a browser has stored it', async () => {
    const { client } = await app.createUser()
    expect((await client.raw(createCheckoutSession, { planId: '7' })).status).toBe(200)
  })

  it('works by the webhook alone when nobody comes back', async () => {
    const user = await app.createUser()
    await payments.buy(user, 2)
    expect(await planOf(user)).toEqual({ plan_name: '500 GB Monthly', plan_id: 2, gigabytes: 500 })
  })

  it('for good is one payment, with an invoice and without a subscription', async () => {
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

  it('with a card that is declined changes nothing, and another card can be tried', async () => {
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
  ])('number %s is refused with %d', async (planId, status, error) => {
    const { client } = await app.createUser()
    expect(await client.raw(createCheckoutSession, { planId })).toMatchObject({ status, body: { error } })
  })

  it('that one has is refused', async () => {
    const user = await app.createUser()
    await payments.buy(user, 3)
    expect(await checkout(user, 3)).toMatchObject({
      status: 409,
      body: { code: 'current_plan', error: 'This is already your plan.' },
    })
  })
})

describe('buying once', () => {
  it('is what two clicks at once come to, with and without a number for the decision', async () => {
    for (const attemptId of [undefined, randomUUID()]) {
      const user = await app.createUser()
      const responses = await Promise.all([1, 2, 3].map(() => checkout(user, 7, attemptId)))
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(new Set(responses.map(({ body }) => body.url)).size).toBe(1)
      expect((await listAll(user)).checkouts).toHaveLength(1)
    }
  })

  // Often enough that both write at the same moment.
  it.each(Array.from({ length: 12 }, (_, index) => index + 1))(
    'is what two tabs at once come to: one page is open at the end, for one of the two plans (%i)',
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

  it('is what two tabs one after the other come to: the page for the first plan is closed', async () => {
    const user = await app.createUser()
    const first = await checkout(user, 7)
    const second = await checkout(user, 3)
    expect(await payments.pay(first.body.url)).toBe(410)
    expect(await payments.pay(second.body.url)).toBeLessThan(400)
    await payments.settle()
    expect(await planOf(user)).toMatchObject({ plan_id: 3 })
    expect((await listAll(user)).subscriptions).toHaveLength(1)
  })

  it('gives the same page again while it is open, and a new one once it has expired', async () => {
    const user = await app.createUser()
    const first = await checkout(user, 7)
    expect((await checkout(user, 7)).body.url).toBe(first.body.url)
    await payments.pass(2 * DAY)
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

  it('is answered alike when the same decision is sent again after it was paid', async () => {
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

  it('ends a second subscription that was sold all the same', async () => {
    const user = await app.createUser()
    await payments.buy(user, 1)
    const customer = await payments.customerOf(user)
    app.clock.advance(5000)
    await payments.ask(async (stripe) => {
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

describe('a change of plan', () => {
  it('changes the subscription at once, charges the difference, and leads back to the account', async () => {
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

  it('may change the period too, and go down: what is over is kept as credit', async () => {
    const user = await app.createUser()
    await payments.buy(user, 8)
    expect((await checkout(user, 1)).status).toBe(200)
    expect(await planOf(user)).toMatchObject({ plan_name: '100 GB Monthly', gigabytes: 100 })
    expect((await listAll(user)).subscriptions).toHaveLength(1)
  })

  it('twice at once changes it once', async () => {
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

  it('with a card that is declined changes nothing, and says so', async () => {
    const user = await app.createUser()
    await payments.buy(user, 2)
    const customer = await payments.customerOf(user)
    const card = await payments.newCard(customer, FAILING_CARD)
    await payments.ask(async (stripe) => {
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

  it('takes back a cancellation for the end of the period', async () => {
    const user = await app.createUser()
    await payments.buy(user, 2)
    const customer = await payments.customerOf(user)
    await payments.ask(async (stripe) => {
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

describe('a plan for good', () => {
  it('ends a running subscription', async () => {
    const user = await app.createUser()
    await payments.buy(user, 4)
    app.clock.advance(DAY)
    await payments.buy(user, 10)
    expect(await planOf(user)).toMatchObject({ plan_name: '500 GB Lifetime', gigabytes: 500 })
    expect((await listAll(user)).subscriptions).toMatchObject([{ status: 'canceled' }])
  })

  it('is followed by a larger one only: nobody pays again for what they have', async () => {
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

  it('is still there when a larger subscription on top of it ends', async () => {
    const user = await app.createUser()
    await payments.buy(user, 9)
    app.clock.advance(DAY)
    await payments.buy(user, 3)
    expect(await planOf(user)).toMatchObject({ plan_name: '2 TB Monthly' })
    const customer = await payments.customerOf(user)
    await payments.ask(async (stripe) => {
      const { data } = await stripe.subscriptions.list({ customer })
      await stripe.subscriptions.cancel(data[0]?.id as string)
    })
    await payments.settle()
    expect(await planOf(user)).toMatchObject({ plan_name: '100 GB Lifetime', gigabytes: 100 })
  })
})

describe('going back to the free plan', () => {
  it('is done at once, ends the subscription, and does no harm twice', async () => {
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

  it('gives up a plan for good, says so, and lets it be bought again', async () => {
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

  it('closes a page that is open to pay on', async () => {
    const user = await app.createUser()
    const { body } = await checkout(user, 7)
    expect((await user.client.call(revertToFree, {})).status).toBe(200)
    expect(await payments.pay(body.url)).toBe(410)
  })

  it('works for who never paid, and for who was given a plan', async () => {
    const user = await app.createUser({ planName: '2 TB Annually' })
    expect((await user.client.call(revertToFree, {})).status).toBe(200)
    expect(await planOf(user)).toMatchObject({ plan_id: 0, plan_name: 'free' })
    expect((await user.client.call(revertToFree, {})).status).toBe(200)
  })
})

describe('coming back from the payment page', () => {
  it('with the number of somebody else, of nothing or of nonsense is not found', async () => {
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

  it('without a number brings the plan up to date, also for who never paid', async () => {
    const user = await app.createUser()
    expect((await user.client.call(confirmCheckout, {})).body).toEqual({
      planId: 0,
      planName: 'free',
      status: 'complete',
    })
  })

  it('at the same moment as the webhook is told once, in one receipt', async () => {
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
