import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { CheckState } from '@alcove/contract/admin-checks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LivePayments } from '../../../platform/payments/live-payments.ts'
import { findFreePort } from '../../../testing/engines/ports.ts'
import { redisServer, startRedis } from '../../../testing/engines/redis-engine.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { openTestPayments } from '../../../testing/factories/payments.ts'
import { https } from './address-checks.ts'
import type { Check, Finding } from './check.ts'
import { clock } from './machine-checks.ts'
import { payments } from './payment-checks.ts'
import { redis } from './service-checks.ts'

let app: TestApp | undefined
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) server.close()
  await app?.close()
  app = undefined
})

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return (server.address() as AddressInfo).port
}

function run({ run: check }: Check, { services }: TestApp): Promise<Finding> {
  const { signal } = new AbortController()
  return check({ services, signal, probeAddress: () => Promise.reject(new Error('not needed')) })
}

describe('the check of payments', () => {
  const URL = 'https://cloud.example.com'
  const NEEDED = ['checkout.session.completed', 'customer.subscription.updated', 'invoice.paid']
  const own = { url: `${URL}/api/stripe/webhook`, status: 'enabled', enabled_events: NEEDED }
  const keysOf = (secretKey: string) => ({ secretKey, publishableKey: 'pk_live_x', webhookSecret: 'whsec_x' })

  async function check(secretKey: string, api: { host: string; port: number }): Promise<Finding> {
    const running = await createTestApp({ publicUrl: URL })
    app = running
    const live = new LivePayments(keysOf(secretKey), running.services.log, { ...api, retries: 0, timeout: 2000 })
    return run(payments, { ...running, services: { ...running.services, payments: live } })
  }

  /** Responds like Stripe to the call that lists the webhook endpoints. */
  async function checkWith(status: number, body: unknown, secretKey = 'sk_live_x'): Promise<Finding> {
    const stripe = createServer((request, response) => {
      expect(request.url).toMatch(/^\/v1\/webhook_endpoints\?limit=100/)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    return check(secretKey, { host: '127.0.0.1', port: await listen(stripe) })
  }
  const checkEndpoints = (data: unknown[], secretKey?: string) =>
    checkWith(200, { object: 'list', url: '/v1/webhook_endpoints', has_more: false, data }, secretKey)

  it('is skipped with the sandbox', async () => {
    app = await createTestApp()
    expect(await run(payments, app)).toMatchObject({ state: 'skipped', message: expect.stringContaining('sandbox') })
  })

  it('fails if Stripe rejects the secret key, which it doesn’t show', async () => {
    const other = await createTestApp()
    const { sandbox } = await openTestPayments(other)
    const found = await check('sk_live_wrong', sandbox.api)
    expect(found).toMatchObject({ state: 'failed', message: 'Stripe rejects STRIPE_SECRET_KEY.' })
    expect(JSON.stringify(found)).not.toContain('sk_live_wrong')
    await other.close()
  })

  it('fails if Stripe can’t be reached', async () => {
    const found = await check('sk_live_x', { host: '127.0.0.1', port: await findFreePort() })
    expect(found).toMatchObject({ state: 'failed', message: 'Stripe can’t be reached.' })
  })

  it.each<[string, CheckState, string, unknown[]]>([
    ['there is no webhook endpoint', 'failed', 'has no webhook endpoint', []],
    ['only another server has one', 'failed', 'has no webhook endpoint', [{ ...own, url: 'https://x.example.com' }]],
    ['the endpoint is disabled', 'failed', 'has disabled', [{ ...own, status: 'disabled' }]],
    ['an event is missing', 'warning', 'invoice.paid is missing', [{ ...own, enabled_events: NEEDED.slice(0, 2) }]],
    ['the endpoint gets its events', 'ok', 'knows the webhook', [own]],
    ['the endpoint gets all events', 'ok', 'knows the webhook', [{ ...own, enabled_events: ['*'] }]],
    ['a disabled endpoint is beside a good one', 'ok', 'knows the webhook', [{ ...own, status: 'disabled' }, own]],
  ])('says so if %s', async (_what, state, message, endpoints) => {
    expect(await checkEndpoints(endpoints)).toMatchObject({ state, message: expect.stringContaining(message) })
  })

  it('warns of test keys', async () => {
    expect(await checkEndpoints([own], 'sk_test_x')).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('test keys'),
    })
  })

  it('accepts a restricted key that may not list endpoints', async () => {
    const error = { type: 'invalid_request_error', message: 'The provided key does not have the required permissions.' }
    expect(await checkWith(403, { error }, 'rk_live_x')).toMatchObject({
      state: 'ok',
      message: expect.stringContaining('doesn’t show the webhook'),
    })
  })
})

describe('the check of HTTPS', () => {
  const read = (name: string) =>
    readFileSync(join(import.meta.dirname, '../../../testing/certificates', `${name}.pem`), 'utf8')
  const usual = getCACertificates('default')

  afterEach(() => {
    setDefaultCACertificates(usual)
    vi.useRealTimers()
  })

  async function check(
    certificate: string,
    { isKnown = true, date }: { isKnown?: boolean; date?: string } = {},
  ): Promise<Finding> {
    if (isKnown) setDefaultCACertificates([...usual, read('authority')])
    const server = createTlsServer({ key: read('key'), cert: read(certificate) })
    const port = await listen(server, '0.0.0.0')
    app = await createTestApp({ publicUrl: `https://0.0.0.0:${port}` })
    // An object store would reject the requests of the app's start with another date.
    if (date) vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(date) })
    return run(https, app)
  }

  it('accepts a certificate that is valid for long', async () => {
    expect(await check('valid')).toMatchObject({
      state: 'ok',
      message: expect.stringMatching(/^The certificate is valid until 21\d\d-/),
    })
  })

  it('warns of a certificate that expires soon', async () => {
    expect(await check('valid', { date: '2125-06-10' })).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('expires on 2125-'),
    })
  })

  it('fails with an expired certificate', async () => {
    expect(await check('expired')).toMatchObject({ state: 'failed', message: 'The certificate has expired.' })
  })

  it('fails with a certificate for another name', async () => {
    expect(await check('other-name')).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('is for another name'),
    })
  })

  it('fails with a certificate of an unknown authority', async () => {
    expect(await check('valid', { isKnown: false })).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('isn’t signed by an authority that this machine knows'),
    })
  })

  it('is skipped if there is no TLS at the port, which the check of the address reports', async () => {
    const port = await listen(createServer(), '0.0.0.0')
    app = await createTestApp({ publicUrl: `https://0.0.0.0:${port}` })
    expect(await run(https, app)).toMatchObject({
      state: 'skipped',
      message: expect.stringContaining('couldn’t be read'),
    })
  })
})

describe.skipIf(!redisServer)('the check of Redis', () => {
  it('succeeds while Redis responds, and fails when it has stopped', async () => {
    const engine = await startRedis()
    app = await createTestApp({ redisUrl: engine.url })
    expect(await run(redis, app)).toMatchObject({ state: 'ok' })
    await engine.stop()
    await expect.poll(async () => (await run(redis, app as TestApp)).state).toBe('failed')
    expect(JSON.stringify(await run(redis, app))).toContain('ALCOVE_REDIS_URL')
  })
})

describe('the check of the clock', () => {
  /** Checks against an S3 store whose clock differs, in milliseconds, and which refuses every request. */
  async function check(difference: number | undefined): Promise<Finding> {
    const running = await createTestApp()
    app = running
    const store = createServer((_request, response) => {
      response.sendDate = false
      const headers = difference === undefined ? {} : { date: new Date(running.clock.now() + difference).toUTCString() }
      response.writeHead(403, headers).end()
    })
    const endpoint = `http://127.0.0.1:${await listen(store)}`
    const config = { ...running.services.config, s3: { endpoint } as never, databaseUrl: undefined }
    return run(clock, { ...running, services: { ...running.services, config } as never })
  }

  it.each<[string, number | undefined, CheckState, string]>([
    ['agrees with', 0, 'ok', 'agrees with that of the S3 store'],
    ['is a little slower than', 20_000, 'warning', 'differs by 20 s'],
    ['is far ahead of', -600_000, 'failed', 'differs by 600 s'],
    ['can’t be compared with', undefined, 'skipped', 'knows no other clock'],
  ])('says so if it %s that of the S3 store', async (_what, difference, state, message) => {
    const found = await check(difference)
    // The Date header has no milliseconds.
    const rounded = found.message.replace(/by (\d+)/, (_by, time) => `by ${Math.round(Number(time) / 5) * 5}`)
    expect({ ...found, message: rounded }).toMatchObject({ state, message: expect.stringContaining(message) })
  })
})
