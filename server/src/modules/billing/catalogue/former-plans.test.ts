import { randomUUID } from 'node:crypto'
import { changePlanSettings, getPlanCatalogue, replacePlans, resetPlans } from '@alcove/contract/admin-plans'
import { changeSignUpSettings } from '@alcove/contract/admin-sign-up'
import { setUserPlan } from '@alcove/contract/admin-users'
import { confirmCheckout, createCheckoutSession, getDashboard } from '@alcove/contract/billing'
import { getStorage } from '@alcove/contract/files'
import { acceptInvitationToServer, createInvitation } from '@alcove/contract/invitations'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, openTestServer, type TestApp } from '../../../testing/engines/test-app.ts'
import { openTestPayments, type TestPayments } from '../../../testing/factories/payments.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'
import { syncCustomers } from '../subscriptions/sync-customers.ts'
import { findPlan, readCatalogue, readCatalogueAnew } from './catalogue.ts'

const DAY = 24 * 3_600_000
const NO_LONGER = 'This plan is no longer offered. Please choose another one.'

let app: TestApp
let payments: TestPayments
let admin: TestUser
beforeAll(async () => {
  app = await createTestApp({ sessionTtl: 1000 * DAY, sessionMaxAge: 1000 * DAY })
  payments = await openTestPayments(app)
})
beforeEach(async () => {
  // A new one, whose sign-in is recent.
  admin = await app.createUser({ isAdmin: true })
  await admin.client.call(resetPlans, {})
})
afterAll(() => app.close())

/** Sells a plan at another price, and returns the id of the plan that takes its place. */
async function changePrice(planId: number, price: number): Promise<number> {
  const { plans, revision } = (await admin.client.call(getPlanCatalogue, {})).body
  const list = plans.map((plan) => (plan.planId === planId ? { ...plan, price, description: null } : plan))
  const { body } = await admin.client.call(replacePlans, { plans: list, revision })
  const index = plans.findIndex((plan) => plan.planId === planId)
  return body.plans[index]?.planId as number
}

const checkout = ({ client }: TestUser, planId: number, attemptId?: string) =>
  client.call(createCheckoutSession, { planId, attemptId })

async function planOf({ client }: TestUser) {
  const { plan_name, plan_id, allocated_bytes } = (await client.call(getStorage, {})).body
  return [plan_id, plan_name, allocated_bytes / 1024 ** 3]
}

const subscriptionOf = async ({ client }: TestUser) => (await client.call(getDashboard, {})).body.subscription

describe('a plan that is no longer sold', () => {
  it('stays with its subscribers, at its price, through renewals, webhooks and the nightly run', async () => {
    const user = await app.createUser()
    await payments.buy(user, 3)
    await changePrice(3, 14.99)
    await payments.advance(32 * DAY)
    await syncCustomers(app.services, new AbortController().signal)
    expect(await planOf(user)).toEqual([3, '2 TB Monthly', 2048])
    expect(await subscriptionOf(user)).toMatchObject({ status: 'active', price: 9.99, billing_cycle: 'Monthly' })
    const { billing_history } = (await user.client.call(getDashboard, {})).body
    expect(billing_history.map(({ total }) => total)).toEqual([9.99, 9.99])
  })

  it('is given to whoever pays on a payment page that was open before', async () => {
    const user = await app.createUser()
    const { url } = (await checkout(user, 7)).body
    await changePrice(7, 89)
    expect(await payments.pay(url)).toBeLessThan(400)
    const sessionId = url.split('/').at(-1) as string
    expect((await user.client.call(confirmCheckout, { sessionId })).body).toMatchObject({
      ...{ planId: 7, planName: '2 TB Annually', status: 'complete' },
    })
    expect(await subscriptionOf(user)).toMatchObject({ price: 99.99 })
  })

  it('can’t be bought, not even by someone whose page still shows it', async () => {
    const [visitor, subscriber] = [await app.createUser(), await app.createUser()]
    await payments.buy(subscriber, 2)
    const id = await changePrice(3, 12)
    for (const user of [visitor, subscriber]) {
      expect(await checkout(user, 3)).toMatchObject({ status: 409, body: { code: 'state_conflict', error: NO_LONGER } })
    }
    await payments.buy(visitor, id)
    expect(await planOf(visitor)).toEqual([id, '2 TB Monthly', 2048])
    expect(await subscriptionOf(visitor)).toMatchObject({ price: 12 })
  })

  it('remains the own plan of its subscribers, also when a purchase is sent again', async () => {
    const user = await app.createUser()
    const attemptId = randomUUID()
    await payments.pay((await checkout(user, 3, attemptId)).body.url)
    await payments.settle()
    await changePrice(3, 12)
    expect((await checkout(user, 3, attemptId)).body).toEqual({ url: 'http://localhost:5100/account?checkout=changed' })
    expect(await checkout(user, 3)).toMatchObject({ status: 409, body: { code: 'current_plan' } })
  })

  it('can be left for a larger or a smaller plan, and can’t be returned to', async () => {
    const user = await app.createUser()
    await payments.buy(user, 3)
    const dearer = await changePrice(3, 12)
    app.clock.advance(10 * DAY)
    for (const [planId, name] of [
      [4, '5 TB Monthly'],
      [1, '100 GB Monthly'],
      [dearer, '2 TB Monthly'],
    ] as const) {
      expect((await checkout(user, planId)).body.url).toContain('checkout=changed')
      expect((await planOf(user)).slice(0, 2)).toEqual([planId, name])
    }
    expect(await checkout(user, 3)).toMatchObject({ status: 409, body: { error: NO_LONGER } })
    const customer = await payments.customerOf(user)
    const { data } = await payments.callStripe((stripe) => stripe.subscriptions.list({ customer, status: 'all' }))
    expect(data).toHaveLength(1)
  })

  it('still counts as a lifetime plan against smaller ones', async () => {
    const user = await app.createUser()
    await payments.buy(user, 11)
    await changePrice(11, 499)
    expect(await checkout(user, 3)).toMatchObject({
      status: 409,
      body: { error: 'Your plan, 2 TB Lifetime, already includes at least as much storage and does not expire.' },
    })
    expect(await planOf(user)).toEqual([11, '2 TB Lifetime', 2048])
  })

  it('is still given to those who were invited with it, and to new accounts if it is their plan', async () => {
    const email = `${randomUUID()}@example.com`
    const { url } = (await admin.client.call(createInvitation, { email, planId: 6 })).body
    await admin.client.call(changeSignUpSettings, { defaultPlanId: 5 })
    await changePrice(6, 44)
    await changePrice(5, 11)
    const { former } = (await admin.client.call(getPlanCatalogue, {})).body
    expect(former.map(({ planId }) => planId)).toEqual(expect.arrayContaining([5, 6]))
    await app.visitor.call(acceptInvitationToServer, {
      token: url.split('#').at(-1) as string,
      password: TEST_PASSWORD,
    })
    const invited = await app.services.db.selectFrom('users').selectAll().where('email', '=', email).execute()
    expect(invited).toMatchObject([{ plan_id: 6, plan_name: '500 GB Annually' }])
    expect(await planOf(await app.createUser())).toEqual([5, '100 GB Annually', 100])
    await admin.client.call(changeSignUpSettings, { defaultPlanId: 0 })
  })
})

it('a plan of administrators can be given, bought and kept after they go back to the plans of the installation', async () => {
  const [given, bought] = [await app.createUser(), await app.createUser()]
  const id = await changePrice(8, 250)
  await admin.client.call(setUserPlan, { id: given.id, planId: id })
  await payments.buy(bought, id)
  await admin.client.call(resetPlans, {})
  await payments.advance(DAY)
  await syncCustomers(app.services, new AbortController().signal)
  for (const user of [given, bought]) expect(await planOf(user)).toEqual([id, '5 TB Annually', 5120])
  expect(await subscriptionOf(bought)).toMatchObject({ price: 250 })
  expect(await checkout(await app.createUser(), id)).toMatchObject({ status: 409, body: { error: NO_LONGER } })
})

it.each([
  ['subscription', 4],
  ['lifetime plan', 12],
])('a %s of a plan that a restored backup doesn’t have stays with its subscriber', async (_what, planId) => {
  const user = await app.createUser()
  const backup = await app.services.db.selectFrom('site_settings').selectAll().execute()
  const id = await changePrice(planId, 1234.5)
  await payments.buy(user, id)
  // The tables of the backup.
  await admin.client.call(resetPlans, {})
  for (const { name, value } of backup) {
    await app.services.db.updateTable('site_settings').set({ value }).where('name', '=', name).execute()
  }
  expect(await readCatalogueAnew(app.services)).toMatchObject({ isFromFile: true })
  expect(await findPlan(app.services, id)).toBeUndefined()
  await syncCustomers(app.services, new AbortController().signal)
  expect((await planOf(user))[0]).toBe(id)
  expect(await findPlan(app.services, id)).toMatchObject({ planId: id, priceInCents: 123_450 })
  app.clock.advance(60_000)
  expect(await changePrice(1, 70 + planId)).toBeGreaterThan(id)
})

it('plans that are switched off and on again have their names, also former ones', async () => {
  const user = await app.createUser()
  const id = await changePrice(10, 250)
  for (const planId of [10, id]) {
    await admin.client.call(setUserPlan, { id: user.id, planId })
    await admin.client.call(resetPlans, {})
    await admin.client.call(changePlanSettings, { enabled: false })
    expect(await planOf(user)).toEqual([planId, '', 500])
    await admin.client.call(changePlanSettings, { enabled: true })
    expect(await planOf(user)).toEqual([planId, '500 GB Lifetime', 500])
  }
})

it('a server that has read the plans a moment ago finds one that another server has sold since', async () => {
  const other = await openTestServer(app.services.config, app.clock)
  try {
    await readCatalogue(other.services)
    const id = await changePrice(1, 2.5)
    expect(await findPlan(other.services, id)).toMatchObject({ planId: id, priceInCents: 250 })
    expect(await findPlan(other.services, 999)).toBeUndefined()
  } finally {
    await other.stop()
  }
})
