import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPayingCustomer, openTestSandbox, refusalOf, type TestSandbox } from './testing/test-sandbox.ts'

describe('the card form of a browser', () => {
  let test: TestSandbox
  beforeAll(async () => {
    test = await openTestSandbox()
  })
  afterAll(async () => {
    await test[Symbol.asyncDispose]()
  })

  interface FormResponse {
    status: number
    body: { error?: Record<string, unknown> } & Record<string, unknown>
  }

  /** Sends a form with the publishable key, as a browser does. */
  async function send(
    path: string,
    form: Record<string, string>,
    key = test.sandbox.publishableKey,
  ): Promise<FormResponse> {
    const response = await test.pages.inject({
      method: 'POST',
      url: `/stripe-sandbox/v1${path}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Bearer ${key}` },
      payload: new URLSearchParams(form).toString(),
    })
    return { status: response.statusCode, body: response.json() }
  }

  const card = (fields: Record<string, string> = {}) => {
    const all = { number: '4242424242424242', exp_month: '8', exp_year: '29', cvc: '123', ...fields }
    return Object.fromEntries(Object.entries(all).map(([name, value]) => [`payment_method_data[card][${name}]`, value]))
  }

  async function newIntent(): Promise<Stripe.SetupIntent & { secret: string }> {
    const customer = await test.stripe.customers.create()
    const intent = await test.stripe.setupIntents.create({ customer: customer.id, usage: 'off_session' })
    return { ...intent, secret: intent.client_secret ?? '' }
  }

  const confirm = (intent: { id: string; secret: string }, fields: Record<string, string>) =>
    send(`/setup_intents/${intent.id}/confirm`, {
      client_secret: intent.secret,
      'payment_method_data[type]': 'card',
      ...fields,
    })

  it('saves a card directly with the sandbox when an intent is confirmed', async () => {
    const intent = await newIntent()
    const { status, body } = await confirm(intent, card())
    expect([status, body.status]).toEqual([200, 'succeeded'])
    const kept = await test.stripe.paymentMethods.retrieve(body.payment_method as string)
    expect(kept).toMatchObject({ customer: intent.customer, card: { brand: 'visa', last4: '4242', exp_year: 2029 } })
    await test.sandbox.settle()
    expect(test.events.slice(-2).map(({ type }) => type)).toEqual(['payment_method.attached', 'setup_intent.succeeded'])
    expect((await confirm(intent, card())).body.error).toMatchObject({ code: 'setup_intent_unexpected_state' })
  })

  it('saves a card in two steps: a payment method, then the confirmation', async () => {
    const intent = await newIntent()
    const made = await send('/payment_methods', {
      type: 'card',
      'card[number]': '5555555555554444',
      'card[exp_month]': '12',
      'card[exp_year]': '2030',
      'card[cvc]': '999',
      'billing_details[name]': 'Mara',
    })
    expect(made.body).toMatchObject({ card: { brand: 'mastercard', last4: '4444' }, customer: null })
    const { body } = await send(`/setup_intents/${intent.id}/confirm`, {
      client_secret: intent.secret,
      payment_method: made.body.id as string,
    })
    expect(body.status).toBe('succeeded')
    const { data } = await test.stripe.paymentMethods.list({ customer: intent.customer as string })
    expect(data.map(({ id }) => id)).toEqual([made.body.id])
  })

  it.each([
    ['378282246310005', '1234', 'amex'],
    ['6011111111111117', '123', 'discover'],
    ['3056930009020004', '123', 'diners'],
    ['3566002020360505', '123', 'jcb'],
    ['6200000000000005', '123', 'unionpay'],
  ])('recognizes the brand of %s', async (number, cvc, brand) => {
    const intent = await newIntent()
    const { body } = await confirm(intent, card({ number, cvc }))
    const kept = await test.stripe.paymentMethods.retrieve(body.payment_method as string)
    expect(kept.card?.brand).toBe(brand)
  })

  it.each([
    [{ number: '4242424242424241' }, 'incorrect_number', 'number'],
    [{ number: '42' }, 'invalid_number', 'number'],
    [{ number: '4'.repeat(30) }, 'invalid_number', 'number'],
    [{ exp_month: '13' }, 'invalid_expiry_month', 'exp_month'],
    [{ exp_month: '1', exp_year: '26', number: '4242424242424242', cvc: '12' }, 'invalid_cvc', 'cvc'],
    [{ exp_year: '25' }, 'invalid_expiry_year', 'exp_year'],
    [{ exp_year: '2099' }, 'invalid_expiry_year', 'exp_year'],
    [{ cvc: 'abc' }, 'invalid_cvc', 'cvc'],
    [{ number: '378282246310005', cvc: '123' }, 'invalid_cvc', 'cvc'],
    [{ number: '4000000000000002' }, 'card_declined', undefined],
    [{ number: '4000000000000069' }, 'expired_card', undefined],
    [{ number: '4111111111111111' }, 'card_declined', undefined],
  ])('rejects %j and keeps the intent open', async (fields, code, param) => {
    const intent = await newIntent()
    const { status, body } = await confirm(intent, card(fields as Record<string, string>))
    expect([status, body.error?.type, body.error?.code, body.error?.param]).toEqual([402, 'card_error', code, param])
    expect((await test.stripe.setupIntents.retrieve(intent.id)).status).toBe('requires_payment_method')
    expect((await confirm(intent, card())).body.status).toBe('succeeded')
  })

  it('stores in the intent why a card was declined', async () => {
    const intent = await newIntent()
    const { body } = await confirm(intent, card({ number: '4000000000000002' }))
    expect(body.error).toMatchObject({ decline_code: 'generic_decline', message: 'Your card was declined.' })
    const { last_setup_error } = await test.stripe.setupIntents.retrieve(intent.id)
    expect(last_setup_error).toMatchObject({ type: 'card_error', code: 'card_declined' })
  })

  it('requires the publishable key and the client secret of the intent', async () => {
    const intent = await newIntent()
    const other = await newIntent()
    expect((await send(`/setup_intents/${intent.id}/confirm`, card(), 'pk_test_wrong')).status).toBe(401)
    expect((await send(`/setup_intents/${intent.id}/confirm`, card(), '')).status).toBe(401)
    expect((await send(`/setup_intents/${intent.id}/confirm`, card())).body.error).toMatchObject({
      param: 'client_secret',
    })
    const wrong = await confirm({ id: intent.id, secret: other.secret }, card())
    expect([wrong.status, wrong.body.error?.param]).toEqual([400, 'client_secret'])
    expect((await confirm({ id: 'seti_x', secret: other.secret }, card())).status).toBe(404)
    // Calls that need the secret key are not available to browsers.
    expect((await send('/customers', {})).status).toBe(404)
    expect((await test.stripe.setupIntents.retrieve(intent.id)).status).toBe('requires_payment_method')
  })

  it('stores no full card number', async () => {
    const intent = await newIntent()
    await confirm(intent, card({ number: '5200828282828210' }))
    await test.sandbox.settle()
    const stored = JSON.stringify([test.events, await test.stripe.setupIntents.retrieve(intent.id)])
    expect(stored).toContain(intent.id)
    expect(stored).not.toContain('5200828282828210')
  })
})

describe('cards of customers', () => {
  it('cannot be attached to a second customer, nor if the issuer declines them', async () => {
    const test = await openTestSandbox()
    const customer = await createPayingCustomer(test)
    const { stripe } = test
    const id = customer.invoice_settings.default_payment_method as string
    const other = await stripe.customers.create()
    expect((await refusalOf(stripe.paymentMethods.attach(id, { customer: other.id }))).statusCode).toBe(400)
    expect((await stripe.paymentMethods.list({ customer: customer.id, type: 'card' })).data).toHaveLength(1)
    const declined = await refusalOf(stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer: customer.id }))
    expect(declined).toBeInstanceOf(Stripe.errors.StripeCardError)
    await test[Symbol.asyncDispose]()
  })
})
