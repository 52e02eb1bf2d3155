import type Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createPayingCustomer,
  createPlan,
  DAY,
  itemIn,
  openTestSandbox,
  refusalOf,
  START,
  subscribe,
  type TestSandbox,
} from './testing/test-sandbox.ts'

const seconds = (time: number) => time / 1000

describe('subscriptions', () => {
  let test: TestSandbox
  beforeEach(async () => {
    test = await openTestSandbox()
  })
  afterEach(async () => {
    await test[Symbol.asyncDispose]()
  })

  /** Changes the price of a subscription. */
  function changeTo(
    subscription: Stripe.Subscription,
    price: Stripe.Price,
    params: Stripe.SubscriptionUpdateParams = {},
  ): Promise<Stripe.Subscription> {
    const items = [{ id: itemIn(subscription).id, price: price.id }]
    return test.stripe.subscriptions.update(subscription.id, { items, ...params })
  }

  async function latestInvoice(id: string): Promise<Stripe.Invoice> {
    const { latest_invoice } = await test.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
    return latest_invoice as Stripe.Invoice
  }

  const linesOf = (invoice: Stripe.Invoice) =>
    invoice.lines.data.map(({ amount, parent }) => [amount, parent?.invoice_item_details?.proration ?? false])

  it('charges a new subscription at once, with an invoice and events', async () => {
    const customer = await createPayingCustomer(test)
    const plan = await createPlan(test, '2 TB Monthly', 999, 'month')
    await test.sandbox.settle()
    const before = test.events.length
    const subscription = await test.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: plan.id }],
      metadata: { planId: '3' },
      expand: ['latest_invoice', 'customer'],
    })
    await test.sandbox.settle()
    expect(subscription).toMatchObject({ status: 'active', currency: 'usd', metadata: { planId: '3' } })
    expect(subscription.customer).toMatchObject({ email: 'mara@example.com' })
    expect(itemIn(subscription)).toMatchObject({
      current_period_start: seconds(START),
      current_period_end: seconds(Date.UTC(2026, 1, 28, 12)),
      price: { id: plan.id, unit_amount: 999 },
    })
    expect(subscription.latest_invoice).toMatchObject({
      status: 'paid',
      total: 999,
      number: `${customer.invoice_prefix}-0001`,
      billing_reason: 'subscription_create',
      parent: { subscription_details: { subscription: subscription.id, metadata: { planId: '3' } } },
      amount_paid: 999,
    })
    expect(test.typesSince(before)).toEqual([
      'customer.updated',
      'invoice.created',
      'invoice.finalized',
      'customer.subscription.created',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
      'customer.subscription.updated',
    ])
  })

  it('renews on the day of the month on which the subscription started, even after a shorter month', async () => {
    const customer = await createPayingCustomer(test)
    const subscription = await subscribe(test, customer, await createPlan(test, 'Monthly', 999, 'month'))
    const ends: string[] = []
    for (let month = 0; month < 3; month++) {
      const current = itemIn(await test.stripe.subscriptions.retrieve(subscription.id))
      ends.push(new Date(current.current_period_end * 1000).toISOString().slice(0, 10))
      await test.sandbox.advance(31 * DAY)
    }
    expect(ends).toEqual(['2026-02-28', '2026-03-31', '2026-04-30'])
    const { data } = await test.stripe.invoices.list({ customer: customer.id })
    expect(data.map(({ billing_reason, status }) => [billing_reason, status])).toEqual([
      ['subscription_cycle', 'paid'],
      ['subscription_cycle', 'paid'],
      ['subscription_cycle', 'paid'],
      ['subscription_create', 'paid'],
    ])
  })

  it('prorates a price change to the second and to whole cents with `always_invoice`', async () => {
    const customer = await createPayingCustomer(test)
    const small = await createPlan(test, '500 GB Monthly', 499, 'month')
    const large = await createPlan(test, '2 TB Monthly', 999, 'month')
    const subscription = await subscribe(test, customer, small)
    // 18.5 of 28 days remain: 499 * 37/56 = 329.69…, 999 * 37/56 = 660.05…
    await test.sandbox.advance(9.5 * DAY)
    const changed = await changeTo(subscription, large, { proration_behavior: 'always_invoice' })
    const invoice = await latestInvoice(subscription.id)
    expect(linesOf(invoice)).toEqual([
      [-330, true],
      [660, true],
    ])
    expect(invoice).toMatchObject({ total: 330, status: 'paid', billing_reason: 'subscription_update' })
    expect(invoice.lines.data.map(({ description }) => description)).toEqual([
      'Unused time on 500 GB Monthly after 10 Feb 2026',
      'Remaining time on 2 TB Monthly after 10 Feb 2026',
    ])
    expect(itemIn(changed)).toMatchObject({
      price: { id: large.id },
      current_period_end: itemIn(subscription).current_period_end,
    })
  })

  it('adds prorations to the next invoice by default, and charges none with `none`', async () => {
    const customer = await createPayingCustomer(test)
    const small = await createPlan(test, 'Small', 500, 'month')
    const large = await createPlan(test, 'Large', 1000, 'month')
    const subscription = await subscribe(test, customer, small)
    await test.sandbox.advance(14 * DAY)
    await changeTo(subscription, large)
    expect(await test.stripe.invoices.list({ customer: customer.id })).toMatchObject({ data: [{ total: 500 }] })
    await test.sandbox.advance(14 * DAY)
    const invoice = await latestInvoice(subscription.id)
    expect(linesOf(invoice)).toEqual([
      [-250, true],
      [500, true],
      [1000, false],
    ])
    expect(invoice.total).toBe(1250)
    await changeTo(subscription, small, { proration_behavior: 'none' })
    await test.sandbox.advance(31 * DAY)
    expect((await latestInvoice(subscription.id)).total).toBe(500)
  })

  it('starts a new period with another billing interval, and invoices it at once', async () => {
    const customer = await createPayingCustomer(test)
    const subscription = await subscribe(test, customer, await createPlan(test, 'Monthly', 999, 'month'))
    await test.sandbox.advance(7 * DAY)
    const yearly = await createPlan(test, 'Annually', 9999, 'year')
    const changed = await changeTo(subscription, yearly)
    const now = seconds(START + 7 * DAY)
    expect(changed.billing_cycle_anchor).toBe(now)
    expect(itemIn(changed)).toMatchObject({
      current_period_start: now,
      current_period_end: seconds(Date.UTC(2027, 1, 7, 12)),
    })
    // Three of four weeks remain: 749.25.
    const invoice = await latestInvoice(subscription.id)
    expect(linesOf(invoice)).toEqual([
      [-749, true],
      [9999, false],
    ])
    expect([invoice.total, invoice.status]).toEqual([9250, 'paid'])
  })

  it('turns a negative total into credit, which the next invoices use', async () => {
    const customer = await createPayingCustomer(test)
    const subscription = await subscribe(test, customer, await createPlan(test, 'Annually', 36500, 'year'))
    await test.sandbox.advance(65 * DAY)
    await changeTo(subscription, await createPlan(test, 'Monthly', 10000, 'month'))
    const invoice = await latestInvoice(subscription.id)
    expect(invoice).toMatchObject({ total: -20000, amount_due: 0, status: 'paid', ending_balance: -20000 })
    const balanceOf = async () => ((await test.stripe.customers.retrieve(customer.id)) as Stripe.Customer).balance
    expect(await balanceOf()).toBe(-20000)
    await test.sandbox.advance(95 * DAY)
    const { data } = await test.stripe.invoices.list({ customer: customer.id, limit: 3 })
    expect(data.map((one) => [one.total, one.starting_balance, one.amount_due, one.amount_paid])).toEqual([
      [10000, 0, 10000, 10000],
      [10000, -10000, 0, 0],
      [10000, -20000, 0, 0],
    ])
    expect(await balanceOf()).toBe(0)
  })

  it('leaves the subscription unchanged if the card is declined with `error_if_incomplete`', async () => {
    const customer = await createPayingCustomer(test)
    const subscription = await subscribe(test, customer, await createPlan(test, 'Small', 500, 'month'))
    const bad = await test.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id })
    await test.stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: bad.id } })
    const large = await createPlan(test, 'Large', 1000, 'month')
    await test.sandbox.settle()
    const before = await test.stripe.subscriptions.retrieve(subscription.id)
    const count = test.events.length
    const refusal = await refusalOf(
      changeTo(subscription, large, {
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
      }),
    )
    expect([refusal.statusCode, refusal.code, refusal.message]).toEqual([
      402,
      'card_declined',
      'Your card was declined.',
    ])
    await test.sandbox.settle()
    expect(await test.stripe.subscriptions.retrieve(subscription.id)).toEqual(before)
    expect((await test.stripe.invoices.list({ customer: customer.id })).data).toHaveLength(1)
    expect(test.events).toHaveLength(count)
    // Without it, the change is kept and the subscription is past due.
    const changed = await changeTo(subscription, large, { proration_behavior: 'always_invoice' })
    expect([changed.status, itemIn(changed).price.id]).toEqual(['past_due', large.id])
  })

  it('ends with the period after a cancellation at its end, and continues if that is undone', async () => {
    const customer = await createPayingCustomer(test)
    const price = await createPlan(test, 'Monthly', 999, 'month')
    const subscription = await subscribe(test, customer, price)
    const { stripe } = test
    const canceled = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
    expect(canceled).toMatchObject({
      status: 'active',
      cancel_at: itemIn(subscription).current_period_end,
      cancellation_details: { reason: 'cancellation_requested' },
    })
    const resumed = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })
    expect(resumed).toMatchObject({ cancel_at: null, canceled_at: null, cancellation_details: { reason: null } })
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
    await test.sandbox.advance(28 * DAY)
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: 'canceled',
      ended_at: itemIn(subscription).current_period_end,
      canceled_at: seconds(START),
    })
    expect(test.events.at(-1)?.type).toBe('customer.subscription.deleted')
    expect((await stripe.invoices.list({ customer: customer.id })).data).toHaveLength(1)
    expect((await stripe.subscriptions.list({ customer: customer.id })).data).toEqual([])
    expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toHaveLength(1)
    expect((await refusalOf(stripe.subscriptions.cancel(subscription.id))).code).toBe('resource_missing')
  })

  it('ends at once when canceled, and credits the unused time with `prorate`', async () => {
    const customer = await createPayingCustomer(test)
    const price = await createPlan(test, 'Monthly', 2800, 'month')
    const first = await subscribe(test, customer, price)
    expect((await test.stripe.subscriptions.cancel(first.id)).status).toBe('canceled')
    const second = await subscribe(test, customer, price)
    await test.sandbox.advance(7 * DAY)
    const canceled = await test.stripe.subscriptions.cancel(second.id, { prorate: true, invoice_now: true })
    expect(canceled.status).toBe('canceled')
    expect(await latestInvoice(second.id)).toMatchObject({ total: -2100, ending_balance: -2100, status: 'paid' })
  })

  it('expires an incomplete subscription if its first payment fails for 23 hours', async () => {
    const customer = await createPayingCustomer(test, 'pm_card_chargeCustomerFail')
    const price = await createPlan(test, 'Monthly', 999, 'month')
    const [paid, unpaid] = [await subscribe(test, customer, price), await subscribe(test, customer, price)]
    expect([paid.status, unpaid.status]).toEqual(['incomplete', 'incomplete'])
    const good = await test.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
    await test.stripe.invoices.pay(paid.latest_invoice as string, { payment_method: good.id })
    await test.sandbox.advance(DAY)
    const statuses = await Promise.all(
      [paid, unpaid].map(async ({ id }) => (await test.stripe.subscriptions.retrieve(id)).status),
    )
    expect(statuses).toEqual(['active', 'incomplete_expired'])
    expect((await latestInvoice(unpaid.id)).status).toBe('void')
  })

  it('rejects invalid changes of a subscription and leaves it unchanged', async () => {
    const customer = await createPayingCustomer(test)
    const price = await createPlan(test, 'Monthly', 999, 'month')
    const once = await createPlan(test, 'Once', 999)
    const subscription = await subscribe(test, customer, price)
    const { id } = itemIn(subscription)
    const { stripe } = test
    const update = (params: Stripe.SubscriptionUpdateParams) =>
      refusalOf(stripe.subscriptions.update(subscription.id, params))
    expect((await update({ items: [{ id, price: once.id }] })).message).toContain('has to recur')
    expect((await update({ items: [{ id, price: 'price_x' }] })).code).toBe('resource_missing')
    expect((await update({ items: [{ id: 'si_x', price: price.id }] })).code).toBe('resource_missing')
    expect((await update({ items: [{ price: price.id }] })).param).toBe('items[0][id]')
    expect((await update({ proration_date: 1 })).param).toBe('proration_date')
    expect((await update({ default_payment_method: 'pm_x' })).param).toBe('default_payment_method')
    const sent = { customer: customer.id, items: [{ price: once.id }] }
    expect((await refusalOf(stripe.subscriptions.create(sent))).message).toContain('has to recur')
    expect(await stripe.subscriptions.retrieve(subscription.id)).toEqual(subscription)
  })

  it('changes and charges once for several concurrent requests', async () => {
    const customer = await createPayingCustomer(test)
    const subscription = await subscribe(test, customer, await createPlan(test, 'Small', 500, 'month'))
    const large = await createPlan(test, 'Large', 1000, 'month')
    await test.sandbox.advance(14 * DAY)
    const change = () => changeTo(subscription, large, { proration_behavior: 'always_invoice' })
    await Promise.all([change(), change(), change()])
    const { data } = await test.stripe.invoices.list({ customer: customer.id })
    expect(data.map(({ total }) => total)).toEqual([250, 500])
  })
})
