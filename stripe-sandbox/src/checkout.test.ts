import type Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  cardForm,
  createPlan,
  DAY,
  open,
  openTestSandbox,
  refusalOf,
  submit,
  type TestSandbox,
} from './testing/test-sandbox.ts'

const SUCCESS = 'http://localhost:5100/account?session={CHECKOUT_SESSION_ID}'
const CANCEL = 'http://localhost:5100/subscriptions?from="plans"'

describe('the checkout page', () => {
  let test: TestSandbox
  let customer: Stripe.Customer
  beforeEach(async () => {
    test = await openTestSandbox()
    customer = await test.stripe.customers.create({ email: 'mara@example.com' })
  })
  afterEach(async () => {
    await test[Symbol.asyncDispose]()
  })

  async function checkout(params: Partial<Stripe.Checkout.SessionCreateParams> = {}): Promise<{
    session: Stripe.Checkout.Session
    url: string
  }> {
    const line = { price_data: yearly('2 TB Annually'), quantity: 1 }
    const session = await test.stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [line],
      success_url: SUCCESS,
      cancel_url: CANCEL,
      metadata: { planId: '7' },
      ...params,
    })
    return { session, url: session.url ?? '' }
  }

  const yearly = (name: string) => ({
    currency: 'usd',
    unit_amount: 9999,
    recurring: { interval: 'year' as const },
    product_data: { name },
  })

  const invoices = async () => (await test.stripe.invoices.list({ customer: customer.id })).data

  it('shows the product, its price and a link back', async () => {
    const { url } = await checkout()
    const { status, text } = await open(test, url)
    expect(status).toBe(200)
    for (const shown of ['Test payments', 'Subscribe to 2 TB Annually', 'Subscribe for $99.99', 'Billed yearly']) {
      expect(text).toContain(shown)
    }
    expect(text).toContain('value="mara@example.com" readonly')
    expect(text).toContain('href="http://localhost:5100/subscriptions?from=&#34;plans&#34;"')
    expect(text).toContain('Renews for $99.99 each year until you cancel.')
  })

  it('sells a subscription, and redirects to the success URL', async () => {
    const { session, url } = await checkout({ subscription_data: { metadata: { planId: '7' } } })
    const paid = await submit(test, url, cardForm())
    expect([paid.status, paid.location]).toEqual([303, SUCCESS.replace('{CHECKOUT_SESSION_ID}', session.id)])
    const done = await test.stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription.default_payment_method', 'invoice'],
    })
    expect(done).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      metadata: { planId: '7' },
      customer_details: { email: 'mara@example.com', name: 'Mara Oyelaran' },
      subscription: {
        status: 'active',
        metadata: { planId: '7' },
        default_payment_method: { card: { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2029 } },
      },
      invoice: { status: 'paid', total: 9999, lines: { data: [{ amount: 9999 }] } },
    })
    await test.sandbox.settle()
    expect(test.events.at(-1)).toMatchObject({
      type: 'checkout.session.completed',
      data: { object: { id: session.id } },
    })
  })

  it('sells only once if it is paid repeatedly or concurrently', async () => {
    const { url } = await checkout()
    const responses = await Promise.all([1, 2, 3].map(() => submit(test, url, cardForm())))
    responses.push(await submit(test, url, cardForm()), await open(test, url))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([303]))
    expect(await invoices()).toHaveLength(1)
    expect((await test.stripe.subscriptions.list({ customer: customer.id })).data).toHaveLength(1)
  })

  it.each([
    ['a declined card', { number: '4000000000000002' }, 'number', 'Your card was declined.'],
    ['a card without funds', { number: '4000000000009995' }, 'number', 'Your card has insufficient funds.'],
    ['a card that can only be attached', { number: '4000000000000341' }, 'number', 'Your card was declined.'],
    ['a real card', { number: '4111111111111111' }, 'number', 'this is not a test card'],
    ['a wrong number', { number: '4242424242424241' }, 'number', 'Your card number is incorrect.'],
    ['no number', { number: ' ' }, 'number', 'Enter the card number.'],
    ['a number of letters', { number: '<script>' }, 'number', 'Your card number is not a valid number.'],
    ['a past month', { expiry: '12 / 25' }, 'expiry', 'expiration year is invalid'],
    ['a 13th month', { expiry: '13/30' }, 'expiry', 'expiration month is invalid'],
    ['half a date', { expiry: '12' }, 'expiry', 'Enter the expiry date as MM / YY.'],
    ['no code', { cvc: '' }, 'cvc', 'Enter the security code.'],
    ['a short code', { cvc: '12' }, 'cvc', 'security code is invalid'],
    ['a code that the bank rejects', { number: '4000000000000127' }, 'cvc', 'security code is incorrect'],
    ['no name', { name: ' ' }, 'name', 'Enter the name on the card.'],
  ])('shows an error at the field for %s, and sells nothing', async (_, fields, field, message) => {
    const { session, url } = await checkout()
    const response = await submit(test, url, cardForm(fields as Record<string, string>))
    expect(response.status).toBe(402)
    expect(response.text).toContain(message)
    const tag = new RegExp(`<input name="${field}"[^>]*aria-invalid="true" aria-describedby="error"`)
    expect(response.text).toMatch(tag)
    expect(response.text).not.toContain('<script>"')
    // The form keeps the input, but never the security code.
    expect(response.text).toMatch(/name="cvc"(?![^>]* value=)/)
    expect(await invoices()).toEqual([])
    expect((await test.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open')
    await test.sandbox.settle()
    expect(test.events.filter(({ type }) => /invoice|subscription|payment_method/.test(type))).toEqual([])
    expect((await submit(test, url, cardForm())).status).toBe(303)
  })

  it('escapes the product name and the input', async () => {
    const evil = '"><script>alert(1)</script>'
    const { url } = await checkout({ line_items: [{ price_data: yearly(evil), quantity: 1 }] })
    const texts = [await open(test, url), await submit(test, url, cardForm({ name: evil, number: evil }))]
    for (const { text } of texts) expect(text).not.toContain('<script>alert')
  })

  it('takes a one-time payment, with an invoice on request', async () => {
    const price = await createPlan(test, '2 TB Lifetime', 39900)
    const line_items = [{ price: price.id, quantity: 1 }]
    const { session, url } = await checkout({
      mode: 'payment',
      line_items,
      payment_intent_data: { metadata: { planId: '11' } },
      invoice_creation: { enabled: true, invoice_data: { metadata: { planId: '11' } } },
    })
    expect((await open(test, url)).text).toContain('You pay once. Nothing renews.')
    await submit(test, url, cardForm())
    const done = await test.stripe.checkout.sessions.retrieve(session.id, { expand: ['invoice', 'payment_intent'] })
    expect(done).toMatchObject({
      subscription: null,
      payment_status: 'paid',
      payment_intent: { status: 'succeeded', amount: 39900 },
      invoice: { status: 'paid', total: 39900, metadata: { planId: '11' }, parent: null },
    })
    const plain = await checkout({ mode: 'payment', line_items, payment_intent_data: { metadata: { a: 'b' } } })
    await submit(test, plain.url, cardForm())
    const { payment_intent, invoice } = await test.stripe.checkout.sessions.retrieve(plain.session.id, {
      expand: ['payment_intent'],
    })
    expect([invoice, payment_intent]).toMatchObject([null, { metadata: { a: 'b' }, status: 'succeeded' }])
  })

  it('uses the customer credit for a subscription, but not for a one-time payment', async () => {
    await test.stripe.customers.update(customer.id, { balance: -9800 })
    const line = { price: (await createPlan(test, '100 GB Lifetime', 9900)).id, quantity: 1 }
    const once = await checkout({ mode: 'payment', line_items: [line], invoice_creation: { enabled: true } })
    expect((await open(test, once.url)).text).toContain('Pay $99.00')
    await submit(test, once.url, cardForm())
    const { url } = await checkout()
    const { text } = await open(test, url)
    for (const shown of ['Applied credit', 'Subscribe for $1.99', 'Renews for $99.99']) expect(text).toContain(shown)
    await submit(test, url, cardForm())
    const paid = (await test.stripe.paymentIntents.list({ customer: customer.id })).data
    expect(paid.map(({ amount }) => amount)).toEqual([199, 9900])
    expect(await test.stripe.customers.retrieve(customer.id)).toMatchObject({ balance: 0 })
  })

  it('lists the payments of a customer with the metadata of the checkout, which can be updated', async () => {
    const line_items = [
      { price_data: { currency: 'usd', unit_amount: 100, product_data: { name: 'A mug' } }, quantity: 1 },
    ]
    const invoice_creation = { enabled: true }
    const payment_intent_data = { metadata: { planId: '9', gone: 'soon' } }
    const { url } = await checkout({ mode: 'payment', line_items, invoice_creation, payment_intent_data })
    await submit(test, url, cardForm())
    const [paid, ...others] = (await test.stripe.paymentIntents.list({ customer: customer.id })).data
    expect([paid?.status, paid?.metadata, others]).toEqual(['succeeded', { planId: '9', gone: 'soon' }, []])
    await test.stripe.paymentIntents.update(paid?.id as string, { metadata: { givenUp: 'yes', gone: '' } })
    const { metadata } = await test.stripe.paymentIntents.retrieve(paid?.id as string)
    expect(metadata).toEqual({ planId: '9', givenUp: 'yes' })
    const another = await test.stripe.customers.create({})
    expect((await test.stripe.paymentIntents.list({ customer: another.id })).data).toEqual([])
    const refusal = await refusalOf(test.stripe.paymentIntents.update('pi_nothing', { metadata: { a: 'b' } }))
    expect(refusal).toMatchObject({ code: 'resource_missing', statusCode: 404 })
  })

  it('asks for the email address if there is no customer yet', async () => {
    const { session, url } = await checkout({ customer: undefined })
    expect((await submit(test, url, cardForm())).text).toContain('Enter your email address.')
    await submit(test, url, cardForm({ email: 'new@example.com' }))
    const done = await test.stripe.checkout.sessions.retrieve(session.id, { expand: ['customer'] })
    expect(done.customer).toMatchObject({ email: 'new@example.com' })
  })

  it('expires after a day', async () => {
    const { session, url } = await checkout()
    await test.sandbox.advance(DAY)
    const shown = await open(test, url)
    expect([shown.status, shown.text]).toEqual([410, expect.stringContaining('This page has expired')])
    expect((await submit(test, url, cardForm())).status).toBe(410)
    expect((await test.stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired')
    expect(test.events.at(-1)?.type).toBe('checkout.session.expired')
    expect(await invoices()).toEqual([])
  })

  it('can be expired by a call only until it is paid', async () => {
    const [first, second] = [await checkout(), await checkout()]
    expect((await test.stripe.checkout.sessions.expire(first.session.id)).status).toBe('expired')
    expect((await submit(test, first.url, cardForm())).status).toBe(410)
    await submit(test, second.url, cardForm())
    expect((await refusalOf(test.stripe.checkout.sessions.expire(second.session.id))).statusCode).toBe(400)
  })

  it('charges nothing for a deleted customer', async () => {
    const { url } = await checkout()
    await test.stripe.customers.del(customer.id)
    expect((await submit(test, url, cardForm())).text).toContain('Nothing was charged.')
  })

  it('links only to http(s) URLs of the session', async () => {
    const elsewhere = await checkout({ success_url: 'https://other.example/done', cancel_url: undefined })
    const left = await submit(test, elsewhere.url, cardForm())
    // A form must not redirect to another origin, so a page with a link is returned.
    expect([left.status, left.location]).toEqual([200, undefined])
    expect(left.text).toContain('href="https://other.example/done"')
    const refused = ['javascript:alert(1)', 'data:text/html,x', '/account', 'nonsense'].map(async (success_url) =>
      refusalOf(checkout({ success_url })),
    )
    expect((await Promise.all(refused)).map(({ code }) => code)).toEqual(Array(4).fill('url_invalid'))
    expect((await open(test, '/stripe-sandbox/checkout/cs_test_unknown')).status).toBe(404)
    expect((await submit(test, '/stripe-sandbox/checkout/cs_test_unknown', cardForm())).status).toBe(404)
  })

  it.each([
    ['no line', { line_items: [] }, 'line_items'],
    ['no success_url', { success_url: undefined }, 'success_url'],
    ['an unknown price', { line_items: [{ price: 'price_x', quantity: 1 }] }, 'line_items[0][price]'],
    ['an unknown customer', { customer: 'cus_x' }, 'customer'],
    ['an unknown mode', { mode: 'setup' as const }, 'mode'],
    ['no quantity', { line_items: [{ price_data: { ...yearlyPrice }, quantity: 0 }] }, 'line_items[0][quantity]'],
    [
      'a negative price',
      { line_items: [{ price_data: { ...yearlyPrice, unit_amount: -1 }, quantity: 1 }] },
      'line_items[0][price_data][unit_amount]',
    ],
    ['an expiry that is too early', { expires_at: 1 }, 'expires_at'],
    ['payment of a subscription', { mode: 'payment' as const }, 'line_items[0][price]'],
  ])('cannot be created with %s', async (_, params, param) => {
    expect((await refusalOf(checkout(params))).param).toBe(param)
  })
})

const yearlyPrice = {
  currency: 'usd',
  unit_amount: 100,
  recurring: { interval: 'year' as const },
  product_data: { name: 'A' },
}
