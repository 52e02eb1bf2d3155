import { createSetupIntent, getDashboard, updatePaymentMethod } from '@alcove/contract/billing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { FAILING_CARD, GOOD_CARD, openTestPayments, type TestPayments } from '../../../testing/factories/payments.ts'
import type { TestUser } from '../../../testing/factories/users.ts'

const DAY = 24 * 3_600_000
const MASTERCARD = '5555555555554444'

let app: TestApp
let payments: TestPayments
beforeAll(async () => {
  app = await createTestApp({ sessionTtl: 1000 * DAY, sessionMaxAge: 1000 * DAY })
  payments = await openTestPayments(app)
})
afterAll(() => app.close())

async function createSubscriber(): Promise<TestUser> {
  const user = await app.createUser()
  await payments.buy(user, 3)
  return user
}

async function cardOf({ client }: TestUser) {
  return (await client.call(getDashboard, {})).body.payment_method
}

describe('updating the card', () => {
  it('replaces the card with the one from the card form', async () => {
    const user = await createSubscriber()
    expect(await cardOf(user)).toMatchObject({ brand: 'visa', last4: '4242' })
    const { status, body } = await user.client.call(createSetupIntent, {})
    expect([status, body.client_secret]).toEqual([200, expect.stringMatching(/^seti_\w+_secret_\w+$/)])
    const intent = body.client_secret.split('_secret_')[0] as string
    const method = await payments.callStripe(async (stripe) => {
      const card = { number: MASTERCARD, exp_month: 12, exp_year: 2031, cvc: '123' }
      const { id } = await stripe.paymentMethods.create({ type: 'card', card })
      return (await stripe.setupIntents.confirm(intent, { payment_method: id })).payment_method as string
    })
    const response = await user.client.call(updatePaymentMethod, { payment_method: method })
    expect(response).toMatchObject({ status: 200, body: { message: 'Card updated successfully.' } })
    expect(await cardOf(user)).toMatchObject({ brand: 'mastercard', last4: '4444', exp_month: 12, exp_year: 2031 })
    // Repeating the update is harmless.
    expect((await user.client.call(updatePaymentMethod, { payment_method: method })).status).toBe(200)
  })

  it('charges the new card at once for an unpaid invoice', async () => {
    const user = await createSubscriber()
    const customer = await payments.customerOf(user)
    const bad = await payments.newCard(customer, FAILING_CARD)
    await user.client.call(updatePaymentMethod, { payment_method: bad })
    await payments.advance(31 * DAY + 3_600_000)
    expect((await user.client.call(getDashboard, {})).body.subscription.status).toBe('past_due')
    const good = await payments.newCard(customer, GOOD_CARD)
    const responses = await Promise.all(
      [1, 2].map(() => user.client.call(updatePaymentMethod, { payment_method: good })),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    const { subscription, billing_history } = (await user.client.call(getDashboard, {})).body
    expect(subscription).toMatchObject({ status: 'active', graceUntil: null })
    expect(billing_history.map(({ status }) => status)).toEqual(['paid', 'paid'])
  })

  it('returns payment_failed and stays past due if the new card is declined', async () => {
    const user = await createSubscriber()
    const customer = await payments.customerOf(user)
    const bad = await payments.newCard(customer, FAILING_CARD)
    await user.client.call(updatePaymentMethod, { payment_method: bad })
    await payments.advance(31 * DAY + 3_600_000)
    const response = await user.client.call(updatePaymentMethod, { payment_method: bad })
    expect(response).toMatchObject({ status: 402, body: { code: 'payment_failed', error: 'Your card was declined.' } })
    expect((await user.client.call(getDashboard, {})).body.subscription.status).toBe('past_due')
  })

  it('rejects a card of another customer, an unattached card and an invalid card id', async () => {
    const [user, other] = [await createSubscriber(), await createSubscriber()]
    const foreign = await payments.newCard(await payments.customerOf(other), MASTERCARD)
    const loose = await payments.callStripe((stripe) =>
      stripe.paymentMethods.create({
        type: 'card',
        card: { number: MASTERCARD, exp_month: 12, exp_year: 2031, cvc: '123' },
      }),
    )
    for (const payment_method of [foreign, loose.id, 'pm_nothing', 'cus_1', '../customers', ' ', 'pm_../x']) {
      const response = await user.client.call(updatePaymentMethod, { payment_method })
      expect(response).toMatchObject({ status: 404, body: { code: 'not_found', error: 'This card was not found.' } })
    }
    for (const payment_method of ['', null, 7, {}, [], 'x'.repeat(256), undefined]) {
      expect((await user.client.raw(updatePaymentMethod, { payment_method })).status).toBe(400)
    }
    expect(await cardOf(user)).toMatchObject({ last4: '4242' })
  })

  it('refuses to change the card of a user who never bought a plan', async () => {
    const { client } = await app.createUser()
    for (const response of [
      await client.call(createSetupIntent, {}),
      await client.call(updatePaymentMethod, { payment_method: 'pm_1' }),
    ]) {
      expect(response).toMatchObject({ status: 409, body: { code: 'state_conflict' } })
    }
  })
})

describe('the billing portal URL', () => {
  function open(url: string) {
    const { pathname, search } = new URL(url)
    return app.visitor.request({ method: 'GET', url: `${pathname}${search}`, headers: { accept: 'text/html' } })
  }

  it('redirects to a new portal session each time it is opened, even hours later', async () => {
    const user = await createSubscriber()
    const url = (await user.client.call(getDashboard, {})).body.portal_url as string
    const places = new Set<unknown>()
    for (let times = 0; times < 3; times++) {
      const response = await open(url)
      expect(response).toMatchObject({ status: 303, headers: { 'cache-control': 'no-store' } })
      expect(response.headers.location).toMatch(/^http:\/\/localhost:5100\/stripe-sandbox\/portal\//)
      places.add(response.headers.location)
      app.clock.advance(3 * 3_600_000)
    }
    expect(places.size).toBe(3)
  })

  it('redirects to the account page if it was modified, has expired or its session has ended', async () => {
    const user = await createSubscriber()
    const url = (await user.client.call(getDashboard, {})).body.portal_url as string
    const account = { status: 303, headers: { location: 'http://localhost:5100/account' } }
    expect(await open(url.replace(/session=[^&]+/, 'session=x'))).toMatchObject(account)
    expect(await open(url.replace(/expires=\d/, 'expires=9'))).toMatchObject(account)
    expect(await open(url.replace(/signature=..../, 'signature=aaaa'))).toMatchObject(account)
    expect(await open(`${url}&session=y`)).toMatchObject(account)
    expect(await open('http://localhost:5100/api/billing-portal')).toMatchObject(account)
    await app.services.db.deleteFrom('sessions').where('user_id', '=', user.id).execute()
    expect(await open(url)).toMatchObject(account)
    const another = await createSubscriber()
    const second = (await another.client.call(getDashboard, {})).body.portal_url as string
    app.clock.advance(2 * DAY)
    expect(await open(second)).toMatchObject(account)
  })

  it('returns no portal URL to a user who never bought a plan', async () => {
    const { client } = await app.createUser()
    expect((await client.call(getDashboard, {})).body).toMatchObject({
      portal_url: null,
      payment_method: null,
      billing_history: [],
    })
  })
})
