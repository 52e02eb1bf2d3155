import { randomUUID } from 'node:crypto'
import { confirmCheckout, revertToFree } from '@alcove/contract/billing'
import { getStorage, listFiles } from '@alcove/contract/files'
import { FREE_PLAN } from '@alcove/contract/plans'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LivePayments } from '../../../platform/payments/live-payments.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { openTestPayments, type TestPayments } from '../../../testing/factories/payments.ts'
import { endCustomerJob, queueEndOfCustomer } from '../customers.ts'
import { syncCustomers } from './sync-customers.ts'

const GIGABYTE = 1024 ** 3

let app: TestApp
let payments: TestPayments
beforeAll(async () => {
  app = await createTestApp()
  payments = await openTestPayments(app)
})
afterAll(() => app.close())

it('keeps all files above the free limit after a revert, and refuses uploads with the missing bytes', async () => {
  const user = await app.createUser()
  await payments.buy(user, 7)
  await user.client.upload('kept.txt', 'kept')
  // Simulates 15 GB of files.
  await app.services.db
    .updateTable('users')
    .set({ used_bytes: 15 * GIGABYTE })
    .where('id', '=', user.id)
    .execute()
  expect((await user.client.call(revertToFree, {})).status).toBe(200)
  const storage = (await user.client.call(getStorage, {})).body
  expect(storage).toMatchObject({ used_bytes: 15 * GIGABYTE, allocated_bytes: FREE_PLAN.allocation })
  expect((await user.client.call(listFiles, {})).body.files).toHaveLength(1)
  const refused = await user.client.sendChunk(
    { uploadId: randomUUID(), filename: 'more.txt', chunkIndex: 0, totalChunks: 1, complete: true },
    'more',
  )
  expect(refused).toMatchObject({ status: 413, body: { code: 'quota_exceeded', missingBytes: 5 * GIGABYTE + 4 } })
  await payments.buy(user, 2)
  expect((await user.client.upload('more.txt', 'more')).filename).toBe('more.txt')
})

it('deletes the customer and its subscription at Stripe when the account is deleted', async () => {
  const user = await app.createUser()
  await payments.buy(user, 3)
  const customer = await payments.customerOf(user)
  await app.services.db.transaction().execute(async (tx) => {
    await queueEndOfCustomer(app.services, tx, user.id)
    await tx.deleteFrom('items').where('owner_id', '=', user.id).execute()
    await tx.deleteFrom('users').where('id', '=', user.id).execute()
  })
  expect(
    await app.services.db.selectFrom('billing_customers').select('user_id').where('user_id', '=', user.id).execute(),
  ).toEqual([])
  await payments.settle()
  await payments.callStripe(async (stripe) => {
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ deleted: true })
    const { data } = await stripe.subscriptions.list({ customer, status: 'all' })
    expect(data).toMatchObject([{ status: 'canceled' }])
  })
  // The job succeeds for a customer that is already deleted or never existed.
  for (const customerId of [customer, 'cus_nothing']) {
    await app.services.db.transaction().execute((tx) => app.services.jobs.enqueue(tx, endCustomerJob, { customerId }))
  }
  await app.services.jobs.runDue()
  expect(await app.services.db.selectFrom('jobs').selectAll().execute()).toEqual([])
})

it('moves a user whose customer was deleted at Stripe to the free plan, and lets them buy again', async () => {
  const user = await app.createUser()
  await payments.buy(user, 3)
  const customer = await payments.customerOf(user)
  await payments.callStripe((stripe) => stripe.customers.del(customer))
  await payments.settle()
  expect((await user.client.call(getStorage, {})).body).toMatchObject({ plan_id: 0 })
  await payments.buy(user, 4)
  expect((await user.client.call(getStorage, {})).body).toMatchObject({ plan_id: 4 })
  expect(await payments.customerOf(user)).not.toBe(customer)
})

it('ends plans that were bought in the sandbox once live payments are configured', async () => {
  const user = await app.createUser()
  await payments.buy(user, 7)
  const keys = { secretKey: 'sk_live_1', publishableKey: 'pk_live_1', webhookSecret: 'whsec_1' }
  const live = new LivePayments(keys, app.services.log, { host: '127.0.0.1', port: 1, retries: 0 })
  await syncCustomers({ ...app.services, payments: live }, new AbortController().signal)
  expect((await user.client.call(getStorage, {})).body).toMatchObject({ plan_id: 0, plan_name: 'free' })
})

it('sends a changed email address to Stripe', async () => {
  const user = await app.createUser()
  await payments.buy(user, 7)
  await app.services.db.updateTable('users').set({ email: 'new@example.com' }).where('id', '=', user.id).execute()
  await user.client.call(confirmCheckout, {})
  const customer = await payments.customerOf(user)
  expect(await payments.callStripe((stripe) => stripe.customers.retrieve(customer))).toMatchObject({
    email: 'new@example.com',
  })
})
