import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  createCheckoutSession,
  getDashboard,
  getPaymentSettings,
  listPlans,
  revertToFree,
} from '@alcove/contract/billing'
import { plans } from '@alcove/contract/plans'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import { syncCustomers } from './subscriptions/sync-customers.ts'

let app: TestApp | undefined
afterEach(async () => {
  await app?.close()
  app = undefined
})

const PUBLIC_URL = 'https://alcove.example.com'
const KEYS = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: 'whsec_1' }

describe('listing the plans', () => {
  it('returns the paid plans by billing period and size, with prices in dollars', async () => {
    app = await createTestApp()
    const { status, body } = await app.visitor.call(listPlans, {})
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['Monthly', 'Annually', 'Lifetime'])
    for (const period of ['Monthly', 'Annually', 'Lifetime'] as const) {
      expect(body[period].map(({ tier }) => tier)).toEqual(['100 GB', '500 GB', '2 TB', '5 TB'])
      expect(body[period].filter(({ highlight }) => highlight)).toHaveLength(1)
    }
    const all = [...body.Monthly, ...body.Annually, ...body.Lifetime]
    expect(all.map(({ planId }) => planId).toSorted((a, b) => a - b)).toEqual(plans.map(({ planId }) => planId))
    expect(body.Annually[2]).toEqual({
      planId: 7,
      tier: '2 TB',
      price: 99.99,
      description: 'Film, raw photos and whole-computer archives.',
      features: ['2 TB of storage', 'Vault, music and video', 'Public links'],
      highlight: false,
    })
  })
})

describe('the payment mode', () => {
  it('uses the sandbox on this machine and returns the settings for the card form', async () => {
    app = await createTestApp()
    const { body } = await app.visitor.call(getPaymentSettings, {})
    expect(body).toEqual({
      mode: 'sandbox',
      publishableKey: expect.stringMatching(/^pk_test_/),
      sandboxUrl: 'http://localhost:5100/stripe-sandbox',
    })
  })

  it('starts the sandbox only when a purchase needs it', async () => {
    app = await createTestApp()
    const file = join(app.dataDir, 'stripe-sandbox.sqlite')
    const { client } = await app.createUser()
    await app.visitor.call(listPlans, {})
    await client.call(getDashboard, {})
    await client.call(revertToFree, {})
    await syncCustomers(app.services, new AbortController().signal)
    expect(existsSync(file)).toBe(false)
    await client.call(createCheckoutSession, { planId: 7 })
    expect(existsSync(file)).toBe(true)
  })

  it('uses live payments without a sandbox if Stripe keys are set, even on this machine', async () => {
    app = await createTestApp({ stripe: KEYS })
    expect((await app.visitor.call(getPaymentSettings, {})).body).toEqual({ mode: 'live', publishableKey: 'pk_test_1' })
    expect((await app.visitor.request({ method: 'GET', url: '/stripe-sandbox/' })).status).toBe(404)
  })

  it('turns payments and the sandbox off at a public address without Stripe keys', async () => {
    app = await createTestApp({ publicUrl: PUBLIC_URL })
    expect((await app.visitor.call(getPaymentSettings, {})).body).toEqual({ mode: 'off' })
    const { client } = await app.createUser()
    expect(await client.call(createCheckoutSession, { planId: 7 })).toMatchObject({
      status: 503,
      body: { code: 'payments_unavailable', error: 'Payments are not configured.' },
    })
    expect((await client.call(revertToFree, {})).status).toBe(200)
    expect(await client.call(getDashboard, {})).toMatchObject({
      status: 200,
      body: { subscription: { plan: 'free', status: 'free' }, portal_url: null, providerUnavailable: false },
    })
    for (const url of ['/stripe-sandbox/', '/stripe-sandbox/checkout/cs_test_1']) {
      expect((await app.visitor.request({ method: 'GET', url })).status).toBe(404)
    }
    const webhook = { method: 'POST', url: '/api/stripe/webhook', payload: '{}' } as const
    expect((await app.visitor.request({ ...webhook, headers: { 'stripe-signature': 't=1,v1=1' } })).status).toBe(503)
  })

  it('serves the sandbox only to requests from this machine', async () => {
    app = await createTestApp()
    const url = '/stripe-sandbox/checkout/cs_test_1'
    const headers = { host: 'alcove.example.com' }
    expect((await app.visitor.request({ method: 'GET', url, headers })).body).toMatchObject({ code: 'not_found' })
    const forwarded = { 'x-forwarded-for': '203.0.113.9' }
    expect((await app.visitor.request({ method: 'GET', url, headers: forwarded })).body).toMatchObject({
      code: 'not_found',
    })
  })
})
