import { type Plan, plans } from '@alcove/contract/plans'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import { openTestPayments, type TestPayments } from '../../testing/factories/payments.ts'
import { ensurePrice, planIdOfPrice, syncPlans } from './prices.ts'

let app: TestApp
let payments: TestPayments
beforeAll(async () => {
  app = await createTestApp()
  payments = await openTestPayments(app)
})
afterAll(() => app.close())

const PLAN = plans.find(({ planId }) => planId === 7) as Plan

it('creates a price once for concurrent requests', async () => {
  const prices = await Promise.all([1, 2, 3, 4].map(() => payments.callStripe((stripe) => ensurePrice(stripe, PLAN))))
  expect(new Set(prices.map(({ id }) => id)).size).toBe(1)
  expect(prices[0]).toMatchObject({ unit_amount: 9999, currency: 'usd', recurring: { interval: 'year' } })
})

it('creates another price when the amount changes, and still maps the old one to the plan', async () => {
  const old = await payments.callStripe((stripe) => ensurePrice(stripe, PLAN))
  const dearer = await payments.callStripe((stripe) => ensurePrice(stripe, { ...PLAN, priceInCents: 10_999 }))
  expect(dearer).toMatchObject({ unit_amount: 10_999 })
  expect(dearer.id).not.toBe(old.id)
  for (const price of [old, dearer]) expect(planIdOfPrice(price)).toBe('7')
})

it('replaces an archived price', async () => {
  const old = await payments.callStripe((stripe) => ensurePrice(stripe, PLAN))
  await payments.callStripe((stripe) => stripe.prices.update(old.id, { active: false }))
  const fresh = await payments.callStripe((stripe) => ensurePrice(stripe, PLAN))
  expect(fresh).toMatchObject({ active: true, unit_amount: 9999 })
  expect(fresh.id).not.toBe(old.id)
})

it('creates the prices of all plans in the catalogue, and none when run again', async () => {
  const made = await payments.callStripe((stripe) => syncPlans(stripe, plans))
  expect(made).toBeGreaterThan(0)
  expect(await payments.callStripe((stripe) => syncPlans(stripe, plans))).toBe(0)
  const { data } = await payments.callStripe((stripe) => stripe.prices.list({ active: true, limit: 100 }))
  const forSale = plans.filter((plan) =>
    data.some((price) => planIdOfPrice(price) === String(plan.planId) && price.unit_amount === plan.priceInCents),
  )
  expect(forSale).toEqual(plans)
})

it('maps the price of another product to no plan', async () => {
  const price = await payments.callStripe((stripe) =>
    stripe.prices.create({ currency: 'usd', unit_amount: 100, product_data: { name: 'A mug' } }),
  )
  expect(planIdOfPrice(price)).toBeUndefined()
})
