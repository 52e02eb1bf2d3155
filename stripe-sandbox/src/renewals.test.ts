import type Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createPayingCustomer,
  createPlan,
  DAY,
  openTestSandbox,
  refusalOf,
  subscribe,
  type TestSandbox,
} from './testing/test-sandbox.ts'

describe('a failed renewal', () => {
  let test: TestSandbox
  let customer: Stripe.Customer
  let subscription: Stripe.Subscription

  /** Creates a subscription whose card fails from the second period on, and moves the clock to its renewal. */
  beforeEach(async () => {
    test = await openTestSandbox()
    customer = await createPayingCustomer(test)
    subscription = await subscribe(test, customer, await createPlan(test, 'Monthly', 999, 'month'))
    const bad = await test.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id })
    await test.stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: bad.id } })
    await test.sandbox.advance(28 * DAY)
  })
  afterEach(async () => {
    await test[Symbol.asyncDispose]()
  })

  const status = async () => (await test.stripe.subscriptions.retrieve(subscription.id)).status
  const openInvoices = async () => (await test.stripe.invoices.list({ customer: customer.id, status: 'open' })).data

  it('makes the subscription past due, and schedules the next attempt', async () => {
    expect(await status()).toBe('past_due')
    const [invoice] = await openInvoices()
    expect(invoice).toMatchObject({ amount_remaining: 999, attempt_count: 1, billing_reason: 'subscription_cycle' })
    const failed = test.events.find(({ type }) => type === 'invoice.payment_failed')
    expect(failed?.data.object).toMatchObject({
      id: invoice?.id,
      next_payment_attempt: (failed?.created ?? 0) + 86_400,
    })
    expect(test.events.at(-1)).toMatchObject({
      type: 'customer.subscription.updated',
      data: { object: { status: 'past_due' }, previous_attributes: { status: 'active' } },
    })
  })

  it('retries the payment after 1, 3, 5 and 7 days, and then ends the subscription', async () => {
    const failures = () => test.events.filter(({ type }) => type === 'invoice.payment_failed').length
    const counts: [number, string][] = []
    for (let day = 1; day <= 8; day++) {
      await test.sandbox.advance(DAY)
      counts.push([failures(), await status()])
    }
    expect(counts).toEqual([
      [2, 'past_due'],
      [2, 'past_due'],
      [3, 'past_due'],
      [3, 'past_due'],
      [4, 'past_due'],
      [4, 'past_due'],
      [5, 'canceled'],
      [5, 'canceled'],
    ])
    const ended = test.events.find(({ type }) => type === 'customer.subscription.deleted')
    expect(ended?.data.object).toMatchObject({ cancellation_details: { reason: 'payment_failed' } })
    expect(await openInvoices()).toMatchObject([{ next_payment_attempt: null, auto_advance: false }])
    await test.sandbox.advance(60 * DAY)
    expect(failures()).toBe(5)
  })

  it('runs the same retries in the same order if the clock moves in one step', async () => {
    await test.sandbox.advance(40 * DAY)
    const types = test.events.map(({ type }) => type).filter((type) => /payment_failed|deleted$/.test(type))
    const payments = types.filter((type) => type !== 'payment_intent.payment_failed')
    expect(payments).toEqual([...Array(5).fill('invoice.payment_failed'), 'customer.subscription.deleted'])
    const times = test.events.map(({ created }) => created)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  it('can be paid with another card, which reactivates the subscription', async () => {
    const [invoice] = await openInvoices()
    const pay = (payment_method?: string) => test.stripe.invoices.pay(invoice?.id ?? '', { payment_method })
    expect((await refusalOf(pay())).code).toBe('card_declined')
    const good = await test.stripe.paymentMethods.attach('pm_card_mastercard', { customer: customer.id })
    await test.stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: good.id } })
    expect((await pay()).status).toBe('paid')
    expect(await status()).toBe('active')
    expect((await refusalOf(pay())).message).toBe('Invoice is already paid')
    await test.sandbox.advance(10 * DAY)
    expect((await test.stripe.invoices.retrieve(invoice?.id ?? '')).attempt_count).toBe(3)
    expect(await status()).toBe('active')
  })

  it('cannot be paid with a card of another customer', async () => {
    const [invoice] = await openInvoices()
    const stranger = await createPayingCustomer(test)
    const card = stranger.invoice_settings.default_payment_method as string
    const refusal = await refusalOf(test.stripe.invoices.pay(invoice?.id ?? '', { payment_method: card }))
    expect(refusal.code).toBe('resource_missing')
    expect(await status()).toBe('past_due')
  })
})
