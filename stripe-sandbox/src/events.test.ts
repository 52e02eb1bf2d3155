import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPayingCustomer, createPlan, DAY, openTestSandbox, subscribe } from './testing/test-sandbox.ts'

describe('events', () => {
  it('retries an event with increasing delays until the webhook accepts it', async () => {
    const test = await openTestSandbox()
    test.responses.push(500, 404, 200)
    await test.stripe.products.create({ name: 'A' })
    await test.sandbox.settle()
    expect(test.events).toHaveLength(1)
    test.clock.time += 9_000
    await test.sandbox.settle()
    expect(test.events).toHaveLength(1)
    test.clock.time += 1_000
    await test.sandbox.settle()
    expect(test.events).toHaveLength(2)
    test.clock.time += 59_000
    await test.sandbox.settle()
    expect(test.events).toHaveLength(2)
    test.clock.time += 1_000
    await test.sandbox.settle()
    expect(test.events).toHaveLength(3)
    expect(new Set(test.events.map(({ id }) => id)).size).toBe(1)
    await test.sandbox.advance(DAY)
    expect(test.events).toHaveLength(3)
    await test[Symbol.asyncDispose]()
  })

  it('delivers the next event after a delivery that throws', async () => {
    const sent: string[] = []
    const test = await openTestSandbox({
      deliver: async (body) => {
        const { type, data } = JSON.parse(body)
        sent.push(`${type} ${data.object.name}`)
        if (data.object.name === 'A') throw new Error('The webhook is broken.')
        return 200
      },
    })
    await test.stripe.products.create({ name: 'A' })
    await test.stripe.products.create({ name: 'B' })
    await test.sandbox.settle()
    expect(sent).toEqual(['product.created A', 'product.created B'])
    await test[Symbol.asyncDispose]()
  })

  it('delivers events in between while the clock moves, so that the webhook sees each state', async () => {
    const seen: string[] = []
    const test = await openTestSandbox({
      deliver: async (body) => {
        const event = JSON.parse(body)
        if (event.type === 'invoice.payment_failed') {
          const { parent } = event.data.object
          const { status } = await test.stripe.subscriptions.retrieve(parent.subscription_details.subscription)
          seen.push(status)
        }
        return 200
      },
    })
    const customer = await createPayingCustomer(test)
    await subscribe(test, customer, await createPlan(test, 'Monthly', 999, 'month'))
    const bad = await test.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id })
    await test.stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: bad.id } })
    // Concurrent moves run one after the other.
    await Promise.all([test.sandbox.advance(30 * DAY), test.sandbox.advance(30 * DAY)])
    expect(seen).toEqual(['past_due', 'past_due', 'past_due', 'past_due', 'canceled'])
    await test[Symbol.asyncDispose]()
  })

  it('sends no events of a call that was rolled back', async () => {
    const test = await openTestSandbox()
    const { host, port } = test.sandbox.api
    await fetch(`http://${host}:${port}/v1/customers`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${test.sandbox.secretKey}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'name=A&nonsense=1',
    })
    await test.sandbox.settle()
    expect(test.events).toEqual([])
    expect((await test.stripe.customers.list()).data).toEqual([])
    await test[Symbol.asyncDispose]()
  })

  it('keeps undelivered events and all other state across restarts', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'alcove-sandbox-'))
    const databasePath = join(directory, 'sandbox.sqlite')
    const first = await openTestSandbox({ databasePath, deliver: async () => 503 })
    const customer = await createPayingCustomer(first)
    const subscription = await subscribe(first, customer, await createPlan(first, 'Monthly', 999, 'month'))
    await first.sandbox.advance(3 * DAY)
    const { created } = await first.stripe.products.create({ name: 'A' })
    await first[Symbol.asyncDispose]()

    const second = await openTestSandbox({ databasePath })
    expect([second.sandbox.secretKey, second.sandbox.publishableKey]).toEqual([
      first.sandbox.secretKey,
      first.sandbox.publishableKey,
    ])
    expect(await second.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' })
    expect((await second.stripe.customers.create()).created).toBe(created)
    second.clock.time += 6 * 3_600_000
    await second.sandbox.settle()
    const types = second.events.map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining(['customer.subscription.created', 'invoice.paid', 'product.created']))
    // Work that became due while the sandbox was closed is processed as of its due time.
    await second[Symbol.asyncDispose]()
    const third = await openTestSandbox({ databasePath })
    third.clock.time += 100 * DAY
    const { data } = await third.stripe.invoices.list({ customer: customer.id })
    expect(data.map((invoice) => new Date(invoice.created * 1000).toISOString().slice(0, 10))).toEqual([
      '2026-04-30',
      '2026-03-31',
      '2026-02-28',
      '2026-01-31',
    ])
    await third[Symbol.asyncDispose]()
    await rm(directory, { recursive: true })
  })

  it('closes without delay if the webhook hangs', async () => {
    const test = await openTestSandbox({ deliver: () => new Promise(() => {}) })
    await test.stripe.products.create({ name: 'A' })
    await test[Symbol.asyncDispose]()
  })

  it('rejects an invalid move of the clock', async () => {
    const test = await openTestSandbox()
    for (const wrong of [-1, Number.NaN, 1.5, 1e15])
      await expect(test.sandbox.advance(wrong)).rejects.toThrow(RangeError)
    await test[Symbol.asyncDispose]()
  })
})
