import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import {
  confirmCheckout,
  createCheckoutSession,
  createSetupIntent,
  getDashboard,
  revertToFree,
  updatePaymentMethod,
} from '@alcove/contract/billing'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LivePayments } from '../../../platform/payments/live-payments.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import type { TestUser } from '../../../testing/factories/users.ts'
import { endCustomerJob } from '../customers.ts'
import { portalUrl } from '../portal.ts'
import { endUnpaidPlans } from './end-unpaid-plans.ts'
import { syncCustomers } from './sync-customers.ts'

const KEYS = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: 'whsec_1' }
const DAY = 24 * 3_600_000
/** Much shorter than the product's own timeout for Stripe, so that the tests are fast. */
const TIME_OUT = 200

/** Starts a server that accepts every connection and never responds. */
async function startDeadServer(): Promise<{ server: Server; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, sockets }
}

describe('an unreachable card provider', () => {
  let app: TestApp
  let dead: Awaited<ReturnType<typeof startDeadServer>>
  let user: TestUser
  beforeAll(async () => {
    dead = await startDeadServer()
    const { port } = dead.server.address() as AddressInfo
    const at = { host: '127.0.0.1', port, timeout: TIME_OUT, retries: 0 }
    app = await createTestApp({}, {}, { payments: new LivePayments(KEYS, pino({ level: 'silent' }), at) })
    user = await app.createUser({ planName: '2 TB Annually' })
    await app.services.db
      .insertInto('billing_customers')
      .values({
        user_id: user.id,
        realm: 'test',
        customer_id: 'cus_1',
        subscription_id: 'sub_1',
        status: 'past_due',
        plan_id: 1,
        price_in_cents: 199,
        period_end: app.clock.now() + DAY,
        past_due_since: app.clock.now() - DAY,
      })
      .execute()
  })
  afterAll(async () => {
    await app.close()
    for (const socket of dead.sockets) socket.destroy()
    dead.server.close()
  })

  async function readRows() {
    const { db } = app.services
    return {
      user: await db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirst(),
      customer: await db.selectFrom('billing_customers').selectAll().where('user_id', '=', user.id).executeTakeFirst(),
    }
  }

  it('makes billing calls fail with payments_unavailable and changes nothing', async () => {
    const before = await readRows()
    for (const ask of [
      () => user.client.call(createCheckoutSession, { planId: 7 }),
      () => user.client.call(confirmCheckout, { sessionId: 'cs_test_1' }),
      () => user.client.call(revertToFree, {}),
      () => user.client.call(createSetupIntent, {}),
      () => user.client.call(updatePaymentMethod, { payment_method: 'pm_1' }),
    ]) {
      expect(await ask()).toMatchObject({
        status: 503,
        body: { code: 'payments_unavailable', error: expect.stringContaining('cannot be reached right now') },
      })
    }
    const after = await readRows()
    expect(after.user).toEqual(before.user)
    expect({ ...after.customer, sync_version: 0 }).toEqual({ ...before.customer, sync_version: 0 })
  })

  it('lets the dashboard return the last known subscription', async () => {
    const { status, body } = await user.client.call(getDashboard, {})
    expect(status).toBe(200)
    expect(body).toEqual({
      subscription: {
        plan: '2 TB Annually',
        planId: 1,
        status: 'past_due',
        billing_cycle: 'Monthly',
        storage_limit_gb: 10,
        price: 1.99,
        next_billing_date: null,
        cancelAtPeriodEnd: false,
        endsAt: null,
        graceUntil: '2026-01-21T12:00:00.000Z',
      },
      billing_history: [],
      payment_method: null,
      portal_url: null,
      providerUnavailable: true,
    })
  })

  it('makes the billing portal URL return an error as plain text', async () => {
    const session = await app.services.db.selectFrom('sessions').select('id').executeTakeFirstOrThrow()
    const url = portalUrl({ ...app.services, user: { sessionId: session.id } })
    const { status, headers, bytes } = await app.visitor.request({
      method: 'GET',
      url: url.replace(/^http:..[^/]+/, ''),
    })
    expect([status, headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8'])
    expect(String(bytes)).toContain('cannot be reached right now')
  })

  it('keeps an unpaid plan while Stripe is unreachable, even after the grace period', async () => {
    await expect(syncCustomers(app.services, new AbortController().signal)).rejects.toThrow('cannot be reached')
    await app.services.db
      .updateTable('billing_customers')
      .set({ past_due_since: app.clock.now() - 30 * DAY })
      .execute()
    await endUnpaidPlans(app.services)
    expect((await readRows()).user?.plan_name).toBe('2 TB Annually')
  })

  it('keeps retrying to delete the customer of a deleted account, however often that fails', async () => {
    const { jobs, db } = app.services
    await db.transaction().execute((tx) => jobs.enqueue(tx, endCustomerJob, { customerId: 'cus_1' }))
    for (let times = 0; times < 2; times++) {
      await jobs.runDue()
      await db.updateTable('jobs').set({ run_at: app.clock.now(), attempts: 100 }).execute()
    }
    expect(await db.selectFrom('jobs').select('kind').execute()).toEqual([{ kind: endCustomerJob.kind }])
  })
})
