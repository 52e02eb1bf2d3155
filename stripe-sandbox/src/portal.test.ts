import type Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  cardForm,
  createPayingCustomer,
  createPlan,
  DAY,
  itemIn,
  open,
  openTestSandbox,
  refusalOf,
  START,
  submit,
  subscribe,
  type TestSandbox,
} from './testing/test-sandbox.ts'

describe('the portal', () => {
  let test: TestSandbox
  let customer: Stripe.Customer
  let subscription: Stripe.Subscription
  let url: string
  beforeEach(async () => {
    test = await openTestSandbox()
    customer = await createPayingCustomer(test)
    subscription = await subscribe(test, customer, await createPlan(test, '2 TB Monthly', 999, 'month'))
    url = await openPortal(customer)
  })
  afterEach(async () => {
    await test[Symbol.asyncDispose]()
  })

  async function openPortal({ id }: Stripe.Customer): Promise<string> {
    const return_url = 'http://localhost:5100/account?a="b"'
    return (await test.stripe.billingPortal.sessions.create({ customer: id, return_url })).url
  }

  const current = () => test.stripe.subscriptions.retrieve(subscription.id)
  const firstInvoice = async () => (await test.stripe.invoices.list({ customer: customer.id })).data[0]

  it('shows plan, card, invoices, a link back and the test clock', async () => {
    const { status, text } = await open(test, url)
    expect(status).toBe(200)
    const invoice = await firstInvoice()
    for (const shown of [
      'Test payments',
      '2 TB Monthly',
      '$9.99 per month',
      'Renews on 28 Feb 2026.',
      'Visa •••• 4242',
      invoice?.number,
      invoice?.invoice_pdf,
      'href="http://localhost:5100/account?a=&#34;b&#34;"',
      '31 January 2026',
      'To the next renewal (28 Feb 2026)',
    ]) {
      expect(text).toContain(shown)
    }
  })

  it('cancels at the end of the period, and resumes', async () => {
    expect((await submit(test, `${url}/cancel`, {})).location).toContain('?done=cancelled')
    expect(await current()).toMatchObject({ status: 'active', cancel_at_period_end: true })
    expect((await open(test, `${url}?done=cancelled`)).text).toContain('Resume plan')
    await submit(test, `${url}/resume`, {})
    expect(await current()).toMatchObject({ cancel_at_period_end: false, cancel_at: null })
    await test.sandbox.settle()
    const updates = test.events.filter(({ type }) => type === 'customer.subscription.updated').slice(-2)
    expect(updates.map(({ data }) => (data.object as Stripe.Subscription).cancel_at_period_end)).toEqual([true, false])
  })

  it('accepts a new card, which pays from then on', async () => {
    const wrong = await submit(test, `${url}/card`, cardForm({ number: '4000000000000002' }))
    expect([wrong.status, wrong.text]).toEqual([402, expect.stringContaining('Your card was declined.')])
    const card = cardForm({ number: '5555 5555 5555 4444' })
    expect((await submit(test, `${url}/card`, card)).location).toContain('?done=card')
    const { default_payment_method } = await test.stripe.subscriptions.retrieve(subscription.id, {
      expand: ['default_payment_method'],
    })
    expect(default_payment_method).toMatchObject({ card: { last4: '4444' } })
  })

  it('makes only the next renewal fail with `fail_once`, so that the retry is paid', async () => {
    await submit(test, `${url}/renewals`, { renewals: 'fail_once' })
    const until = String(itemIn(subscription).current_period_end)
    expect((await submit(test, `${url}/clock`, { by: 'next', until })).location).toContain('?done=moved')
    expect((await current()).status).toBe('past_due')
    const { text } = await open(test, url)
    expect(text).toContain('To the next retry (1 Mar 2026)')
    await submit(test, `${url}/clock`, { by: 'day' })
    expect((await current()).status).toBe('active')
  })

  it('makes renewals fail with `fail` until a new card is saved, which can pay the open invoice', async () => {
    await submit(test, `${url}/renewals`, { renewals: 'fail' })
    await submit(test, `${url}/clock`, { by: 'month' })
    await submit(test, `${url}/clock`, { by: 'day' })
    const invoice = await firstInvoice()
    expect(invoice).toMatchObject({ status: 'open', attempt_count: 2 })
    await submit(test, `${url}/card`, cardForm())
    expect((await submit(test, `${url}/pay`, { invoice: invoice?.id ?? '' })).location).toContain('?done=paid')
    expect((await submit(test, `${url}/pay`, { invoice: invoice?.id ?? '' })).location).toContain('?done=paid')
    expect((await firstInvoice())?.attempt_count).toBe(3)
    await test.sandbox.advance(31 * DAY)
    expect((await current()).status).toBe('active')
  })

  it('reports a declined card when an invoice is paid', async () => {
    await submit(test, `${url}/card`, cardForm({ number: '4000000000000341' }))
    await submit(test, `${url}/clock`, { by: 'month' })
    const invoice = await firstInvoice()
    expect((await submit(test, `${url}/pay`, { invoice: invoice?.id ?? '' })).location).toContain('?done=declined')
    expect((await current()).status).toBe('past_due')
  })

  it("rejects the payment of another customer's invoice", async () => {
    const other = await createPayingCustomer(test)
    await submit(test, `${url}/renewals`, { renewals: 'fail' })
    await test.sandbox.advance(28 * DAY)
    const invoice = await firstInvoice()
    const response = await submit(test, `${await openPortal(other)}/pay`, { invoice: invoice?.id ?? '' })
    expect(response.status).toBe(404)
    expect((await firstInvoice())?.status).toBe('open')
  })

  it('rejects changes of a plan that has ended', async () => {
    await test.stripe.subscriptions.cancel(subscription.id)
    expect((await submit(test, `${url}/cancel`, {})).status).toBe(404)
    expect((await submit(test, `${url}/resume`, {})).text).toContain('That is not possible any more')
    expect((await open(test, url)).text).toContain('Ended on 31 Jan 2026.')
  })

  it('moves the clock only forward, and only by the steps of the form', async () => {
    const next = (until: string) => ({ by: 'next', until })
    for (const fields of [next('0'), next('x'), next('99999999999'), next('1e99'), { by: 'century' }, {}]) {
      expect((await submit(test, `${url}/clock`, fields as Record<string, string>)).status).toBe(303)
    }
    expect((await test.stripe.customers.create()).created).toBe(START / 1000)
  })

  it('expires an hour after its last use, regardless of the test clock', async () => {
    await test.sandbox.advance(20 * DAY)
    test.clock.time += 50 * 60_000
    expect((await open(test, url)).status).toBe(200)
    test.clock.time += 50 * 60_000
    expect((await open(test, url)).status).toBe(200)
    test.clock.time += 61 * 60_000
    expect((await open(test, url)).text).toContain('This page has expired')
    expect((await submit(test, `${url}/cancel`, {})).status).toBe(404)
    expect((await open(test, '/stripe-sandbox/portal/nonsense')).status).toBe(404)
    expect((await current()).cancel_at_period_end).toBe(false)
  })

  it('responds with 404 for a deleted customer', async () => {
    await test.stripe.customers.del(customer.id)
    expect((await open(test, url)).status).toBe(404)
    const { billingPortal } = test.stripe
    expect((await refusalOf(billingPortal.sessions.create({ customer: customer.id }))).param).toBe('customer')
  })
})

describe('the hosted files', () => {
  it('include a style sheet, a script, and the PDF of an invoice at its unguessable address', async () => {
    const test = await openTestSandbox()
    const customer = await createPayingCustomer(test)
    await subscribe(test, customer, await createPlan(test, 'Größe & Co', 999, 'month'))
    const { data } = await test.stripe.invoices.list({ customer: customer.id })
    const pdf = await test.pages.inject({ url: new URL(data[0]?.invoice_pdf ?? '').pathname })
    expect([pdf.statusCode, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(pdf.headers['content-disposition']).toBe(`attachment; filename="Invoice-${data[0]?.number}.pdf"`)
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    const types = await Promise.all(
      ['pages.css', 'pages.js', 'nonsense'].map(async (name) => {
        const response = await test.pages.inject({ url: `/stripe-sandbox/assets/${name}` })
        return [response.statusCode, response.headers['content-type']?.toString().split(';')[0]]
      }),
    )
    expect(types).toEqual([
      [200, 'text/css'],
      [200, 'text/javascript'],
      [404, 'text/html'],
    ])
    expect((await open(test, '/stripe-sandbox/invoices/nonsense/pdf')).status).toBe(404)
    await test[Symbol.asyncDispose]()
  })
})
