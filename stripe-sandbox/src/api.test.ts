import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { API_VERSION } from './events.ts'
import {
  createPayingCustomer,
  createPlan,
  openTestSandbox,
  refusalOf,
  subscribe,
  type TestSandbox,
} from './testing/test-sandbox.ts'

describe('the API', () => {
  let test: TestSandbox
  beforeAll(async () => {
    test = await openTestSandbox()
  })
  afterAll(async () => {
    await test[Symbol.asyncDispose]()
  })

  /** Sends a request without the SDK, which wouldn't send invalid ones. */
  function send(path: string, init: RequestInit = {}): Promise<Response> {
    const { host, port } = test.sandbox.api
    const headers = { authorization: `Bearer ${test.sandbox.secretKey}`, ...init.headers }
    return fetch(`http://${host}:${port}${path}`, { ...init, headers })
  }

  it('implements the version of the SDK', () => {
    expect(API_VERSION).toBe(Stripe.API_VERSION)
  })

  it('listens on loopback only', () => {
    expect(test.sandbox.api.host).toBe('127.0.0.1')
  })

  it('rejects requests without a key, with a wrong one, or with the publishable one', async () => {
    const responses = await Promise.all(
      ['', 'Bearer sk_test_wrong', `Bearer ${test.sandbox.publishableKey}`, 'Nonsense'].map(async (authorization) => {
        const response = await send('/v1/customers', { headers: { authorization } })
        return [response.status, ((await response.json()) as { error: { type: string } }).error.type]
      }),
    )
    expect(responses).toEqual(Array(4).fill([401, 'invalid_request_error']))
    const stranger = new Stripe('sk_test_x', { ...test.sandbox.api, protocol: 'http', maxNetworkRetries: 0 })
    expect(await refusalOf(stranger.customers.list())).toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
  })

  it('rejects unknown paths', async () => {
    const refusal = await refusalOf(test.stripe.coupons.list())
    expect([refusal.statusCode, refusal.type]).toEqual([404, 'StripeInvalidRequestError'])
    expect(refusal.message).toContain('Unrecognized request URL (GET: /v1/coupons)')
  })

  it.each([
    ['customer[', 'Invalid parameter name'],
    [`a${'[b]'.repeat(20)}=1`, 'nested too deeply'],
    ['metadata=1&metadata[a]=2', 'Invalid object'],
    [Array.from({ length: 1001 }, (_, index) => `metadata[k${index}]=1`).join('&'), 'too many parameters'],
    ['nonsense=1', 'Received unknown parameter: nonsense'],
    ['invoice_settings[nonsense]=1', 'Received unknown parameter: invoice_settings[nonsense]'],
    ['email=nonsense', 'Invalid email address'],
    ['balance=1.5', 'Invalid integer'],
    [`name=${'x'.repeat(5001)}`, 'longer than'],
    ['name[a]=1', 'Invalid string'],
    ['invoice_settings=1', 'Invalid object'],
    ['expand=1', 'Invalid object'],
    ['expand[a]=1', 'Invalid array'],
    ['expand[]=nonsense', 'cannot be expanded'],
    ['invoice_settings[default_payment_method]=pm_of_nobody', "No such PaymentMethod: 'pm_of_nobody'"],
  ])('rejects the form %.60s and creates nothing', async (body, message) => {
    const before = (await test.stripe.customers.list({ limit: 100 })).data.length
    const response = await send('/v1/customers', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const { error } = (await response.json()) as { error: { type: string; message: string } }
    expect([response.status, error.type]).toEqual([400, 'invalid_request_error'])
    expect(error.message).toContain(message)
    expect((await test.stripe.customers.list({ limit: 100 })).data).toHaveLength(before)
  })

  it('rejects other content types and bodies that are too long', async () => {
    const json = await send('/v1/customers', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    const long = await send('/v1/customers', {
      method: 'POST',
      body: `name=${'x'.repeat(300_000)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([json.status, long.status]).toEqual([415, 413])
    expect(await long.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
  })

  it('reports unknown ids as missing', async () => {
    const { stripe } = test
    const refusals = await Promise.all([
      refusalOf(stripe.customers.retrieve('cus_x')),
      refusalOf(stripe.customers.del('cus_x')),
      refusalOf(stripe.subscriptions.retrieve('sub_x')),
      refusalOf(stripe.subscriptions.cancel('sub_x')),
      refusalOf(stripe.invoices.pay('in_x')),
      refusalOf(stripe.checkout.sessions.retrieve('cs_x')),
      refusalOf(stripe.setupIntents.confirm('seti_x')),
      refusalOf(stripe.paymentMethods.retrieve('pm_x')),
      refusalOf(stripe.prices.update('price_x')),
    ])
    expect(refusals.map(({ statusCode, code }) => [statusCode, code])).toEqual(
      Array(refusals.length).fill([404, 'resource_missing']),
    )
    const { code, param } = await refusalOf(stripe.subscriptions.list({ customer: 'cus_x' }))
    expect([code, param]).toEqual(['resource_missing', 'customer'])
    // The id of an object of another kind counts as unknown.
    const { id } = await stripe.customers.create()
    expect((await refusalOf(stripe.subscriptions.retrieve(id))).code).toBe('resource_missing')
  })

  it('returns the same response for the same idempotency key, and rejects the key for another request', async () => {
    const { stripe } = test
    const [first, again, third] = await Promise.all([
      stripe.customers.create({ email: 'a@example.com' }, { idempotencyKey: 'key-1' }),
      stripe.customers.create({ email: 'a@example.com' }, { idempotencyKey: 'key-1' }),
      stripe.customers.create({ email: 'a@example.com' }, { idempotencyKey: 'key-2' }),
    ])
    expect(again).toEqual(first)
    expect(again.lastResponse.headers['idempotent-replayed'] ?? first.lastResponse.headers['idempotent-replayed']).toBe(
      'true',
    )
    expect(third.id).not.toBe(first.id)
    const refusal = await refusalOf(stripe.customers.create({ email: 'b@example.com' }, { idempotencyKey: 'key-1' }))
    expect(refusal).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
    const elsewhere = await refusalOf(stripe.products.create({ name: 'A' }, { idempotencyKey: 'key-1' }))
    expect(elsewhere).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
    test.clock.time += 25 * 3_600_000
    expect((await stripe.customers.create({}, { idempotencyKey: 'key-1' })).id).not.toBe(first.id)
  })

  it('returns the same decline for the same idempotency key', async () => {
    const { stripe } = test
    const customer = await createPayingCustomer(test, 'pm_card_chargeCustomerFail')
    const subscription = await subscribe(test, customer, await createPlan(test, 'Keyed', 500, 'month'))
    const pay = () => stripe.invoices.pay(subscription.latest_invoice as string, {}, { idempotencyKey: 'pay-1' })
    const refusals = [await refusalOf(pay()), await refusalOf(pay())]
    expect(refusals.map(({ code, decline_code }) => [code, decline_code])).toEqual(
      Array(2).fill(['card_declined', 'generic_decline']),
    )
    // The invoice was charged when the subscription started, and once more now.
    expect((await stripe.invoices.retrieve(subscription.latest_invoice as string)).attempt_count).toBe(2)
  })

  it('keeps metadata, and removes keys with an empty value', async () => {
    const { stripe } = test
    const { id } = await stripe.customers.create({ metadata: { a: '1', b: '2', constructor: 'x' } })
    const { metadata } = await stripe.customers.update(id, { metadata: { a: '', c: '3' } })
    expect(metadata).toEqual({ b: '2', constructor: 'x', c: '3' })
    expect((await stripe.customers.update(id, { metadata: '' })).metadata).toEqual({})
  })

  it('paginates lists, newest first', async () => {
    const { stripe } = test
    const email = 'paged@example.com'
    const ids: string[] = []
    for (let number = 0; number < 5; number++) ids.unshift((await stripe.customers.create({ email })).id)
    const first = await stripe.customers.list({ email, limit: 2 })
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([ids.slice(0, 2), true])
    const before = await stripe.customers.list({ email, limit: 2, ending_before: ids[4] })
    expect([before.data.map(({ id }) => id), before.has_more]).toEqual([ids.slice(2, 4), true])
    const all: string[] = []
    for await (const { id } of stripe.customers.list({ email, limit: 2 })) all.push(id)
    expect(all).toEqual(ids)
    expect((await refusalOf(stripe.customers.list({ limit: 101 }))).param).toBe('limit')
    expect((await refusalOf(stripe.customers.list({ starting_after: 'cus_x' }))).code).toBe('resource_missing')
  })

  it('finds prices by lookup key, and transfers a key on request', async () => {
    const { stripe } = test
    const old = await createPlan(test, 'key-a', 100, 'month')
    await createPlan(test, 'key-b', 200)
    const make = (transfer_lookup_key?: boolean) =>
      stripe.prices.create({
        product: old.product as string,
        currency: 'usd',
        unit_amount: 300,
        lookup_key: 'key-a',
        transfer_lookup_key,
      })
    expect((await refusalOf(make())).code).toBe('resource_already_exists')
    const { id } = await make(true)
    const { data } = await stripe.prices.list({ lookup_keys: ['key-a', 'key-b'], expand: ['data.product'] })
    expect(data.map((price) => [price.unit_amount, (price.product as Stripe.Product).name])).toEqual([
      [300, 'key-a'],
      [200, 'key-b'],
    ])
    expect(data[0]?.id).toBe(id)
    expect((await stripe.prices.retrieve(old.id)).lookup_key).toBeNull()
    expect((await stripe.prices.update(id, { active: false })).active).toBe(false)
    expect((await stripe.prices.list({ product: old.product as string, active: true })).data).toHaveLength(1)
  })

  it('shows a deleted customer as deleted, and rejects changes to it', async () => {
    const { stripe } = test
    const customer = await createPayingCustomer(test)
    const subscription = await subscribe(test, customer, await createPlan(test, 'Deleted', 500, 'month'))
    expect(await stripe.customers.del(customer.id)).toMatchObject({ deleted: true })
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ id: customer.id, deleted: true })
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled')
    expect((await refusalOf(stripe.customers.update(customer.id, { name: 'A' }))).code).toBe('resource_missing')
    expect((await refusalOf(stripe.customers.del(customer.id))).code).toBe('resource_missing')
    expect((await refusalOf(stripe.setupIntents.create({ customer: customer.id }))).statusCode).toBe(400)
    await test.sandbox.settle()
    const types = test.events.slice(-2).map(({ type }) => type)
    expect(types).toEqual(['customer.subscription.deleted', 'customer.deleted'])
  })
})
