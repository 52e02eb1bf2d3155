import { createCheckoutSession } from '@alcove/contract/billing'
import { getStorage } from '@alcove/contract/files'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LivePayments } from '../../../platform/payments/live-payments.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { openTestPayments, type TestPayments } from '../../../testing/factories/payments.ts'

let app: TestApp
let payments: TestPayments
beforeAll(async () => {
  app = await createTestApp()
  payments = await openTestPayments(app)
})
afterAll(() => app.close())

function sign(payload: string, { secret = app.services.secrets.sandboxWebhookSecret, age = 0 } = {}): string {
  const timestamp = Math.floor((app.clock.now() - age) / 1000)
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
}

function deliver(payload: string, signature: string | undefined, on: TestApp = app) {
  return on.visitor.request({
    method: 'POST',
    url: '/api/stripe/webhook',
    headers: { 'content-type': 'application/json; charset=utf-8', ...(signature && { 'stripe-signature': signature }) },
    payload,
  })
}

function describeEvent(type: string, object: object, id = `evt_${crypto.randomUUID()}`): string {
  return JSON.stringify({ id, object: 'event', type, created: 1, data: { object } })
}

async function readSyncVersion(userId: string): Promise<number> {
  const row = await app.services.db
    .selectFrom('billing_customers')
    .select('sync_version')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.sync_version
}

async function createCustomer() {
  const user = await app.createUser()
  await user.client.call(createCheckoutSession, { planId: 1 })
  await payments.settle()
  return { user, customer: await payments.customerOf(user) }
}

describe('POST /stripe/webhook', () => {
  it('rejects a missing, foreign, mismatched or outdated signature', async () => {
    const payload = describeEvent('invoice.paid', { object: 'invoice', customer: 'cus_1' })
    for (const signature of [
      undefined,
      '',
      'nonsense',
      't=1,v1=00',
      sign(payload, { secret: 'whsec_other' }),
      sign(`${payload} `),
      sign(payload, { age: 3_600_000 }),
    ]) {
      expect(await deliver(payload, signature)).toMatchObject({ status: 400, body: { code: 'malformed' } })
    }
  })

  it('accepts any signed event, whatever its type and customer', async () => {
    for (const payload of [
      describeEvent('invoice.paid', { object: 'invoice', customer: 'cus_of_somebody_else' }),
      describeEvent('customer.subscription.deleted', { object: 'subscription', customer: null }),
      describeEvent('treasury.something.new', { object: 'thing' }),
      describeEvent('invoice.paid', {}),
    ]) {
      expect(await deliver(payload, sign(payload))).toMatchObject({ status: 200, body: { received: true } })
    }
  })

  it('returns no server error for payloads that are malformed or too large', async () => {
    for (const payload of ['', '{', '[]', '"x"', 'null', '{"id":1}', '{"id":"evt_1","type":"invoice.paid"}']) {
      expect((await deliver(payload, sign(payload))).status).toBeLessThan(500)
    }
    const huge = describeEvent('invoice.paid', { filler: 'x'.repeat(600_000) })
    expect((await deliver(huge, sign(huge))).status).toBe(413)
  })

  it('applies an event once, however often it is delivered', async () => {
    const { user, customer } = await createCustomer()
    const before = await readSyncVersion(user.id)
    const payload = describeEvent('customer.subscription.updated', { object: 'subscription', customer })
    for (let times = 0; times < 3; times++) expect((await deliver(payload, sign(payload))).status).toBe(200)
    expect(await readSyncVersion(user.id)).toBe(before + 1)
  })

  it('reads the plan from Stripe and ignores the plan in the event', async () => {
    const { user, customer } = await createCustomer()
    const items = { data: [{ price: { metadata: { planId: '8' } }, current_period_end: 4_000_000_000 }] }
    const subscription = { object: 'subscription', id: 'sub_1', status: 'active', customer, items }
    const payload = describeEvent('customer.subscription.created', subscription)
    expect((await deliver(payload, sign(payload))).status).toBe(200)
    expect((await user.client.call(getStorage, {})).body).toMatchObject({ plan_name: 'free', plan_id: 0 })
  })

  it('returns 503 for an event that cannot be applied yet, and applies the next delivery', async () => {
    const { user, customer } = await createCustomer()
    const payload = describeEvent('invoice.paid', { object: 'invoice', customer })
    const before = await readSyncVersion(user.id)
    const { ask } = app.services.payments
    app.services.payments.ask = () =>
      new LivePayments(KEYS, app.services.log, NOWHERE).ask((stripe) => stripe.balance.retrieve() as never)
    try {
      expect(await deliver(payload, sign(payload))).toMatchObject({
        status: 503,
        body: { code: 'payments_unavailable' },
      })
    } finally {
      app.services.payments.ask = ask
    }
    expect((await deliver(payload, sign(payload))).status).toBe(200)
    expect(await readSyncVersion(user.id)).toBe(before + 2)
  })
})

const KEYS = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: 'whsec_1' }
/** An address at which nothing listens. */
const NOWHERE = { host: '127.0.0.1', port: 1, retries: 0 }
