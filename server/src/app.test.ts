import { randomUUID } from 'node:crypto'
import { type AnyCall, pathParameters } from '@alcove/contract/call'
import { allCalls } from '@alcove/contract/calls'
import { createFolder, listFiles } from '@alcove/contract/files'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from './testing/engines/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

/** Returns a value for each parameter of a call's path. */
function pathParametersOf(call: AnyCall): Record<string, string> {
  return Object.fromEntries(pathParameters(call.path).map((name) => [name, randomUUID()]))
}

const named = allCalls.map((call) => [`${call.method} ${call.path}`, call] as const)

describe('every call', () => {
  // To others, calls of administrators look as if they didn't exist, which access.test.ts tests.
  const forUsers = named.filter(([, { access }]) => access === 'user' || access === 'paid')
  it.each(forUsers)('requires a session for %s', async (_name, call) => {
    const response = await app.visitor.raw(call, pathParametersOf(call))
    expect(response).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated', error: 'Your session has expired.' },
    })
    for (const authorization of ['Bearer nonsense', 'Bearer a.b.c', 'Basic eDp4', 'Bearer ']) {
      expect((await app.visitor.raw(call, pathParametersOf(call), { authorization })).status).toBe(401)
    }
  })

  it.each(named)('rejects invalid input to %s with a clear error and never with a 5xx', async (_name, call) => {
    const { client } = await app.createUser({ isAdmin: true })
    const texts: unknown[] = ['', ' ', 'x'.repeat(5000), '\u0000', '../..', -1, 1e30, true, null]
    const structures: unknown[] = [[], {}, { toString: 1 }, [[{}]]]
    const hasBody = call.method === 'POST' || call.method === 'PUT'
    for (const value of hasBody ? [...texts, ...structures] : texts) {
      const fields = Object.fromEntries(Object.keys(call.input.shape).map((name) => [name, value]))
      const response = await client.raw(call, { ...fields, ...pathParametersOf(call) })
      expect(response.status).toBeLessThan(500)
      if (response.status >= 400) {
        expect(response.body.error).toEqual(expect.stringMatching(/\S/))
        expect(response.body.message).toBe(response.body.error)
        expect(JSON.stringify(response.body)).not.toMatch(/sql|node_modules|\.ts|stack/i)
      }
    }
  })

  it('is in the OpenAPI document', async () => {
    const { body } = await app.visitor.request<{ paths: Record<string, Record<string, unknown>> }>({
      method: 'GET',
      url: '/api/openapi.json',
    })
    for (const [name, call] of named) {
      expect(body.paths[call.path]?.[call.method.toLowerCase()], name).toMatchObject({ summary: call.summary })
    }
  })
})

describe('request bodies', () => {
  it.each([
    ['incomplete JSON', '{"folderName":'],
    ['an empty body', ''],
    ['a JSON array', '[]'],
    ['a JSON string', '"text"'],
    ['an object that sets __proto__', '{"__proto__": {"folderName": "x"}}'],
  ])('rejects %s as malformed', async (_what, payload) => {
    const { client } = await app.createUser()
    const response = await client.request({
      method: 'POST',
      url: '/api/create-folder',
      headers: { 'content-type': 'application/json' },
      payload,
    })
    expect(response).toMatchObject({ status: 400, body: { code: 'malformed' } })
  })

  it('rejects a body that is too large with 413, and one of another content type as malformed', async () => {
    const { client } = await app.createUser()
    const large = await client.raw(createFolder, { folderName: 'x'.repeat(1_100_000) })
    expect(large).toMatchObject({ status: 413, body: { code: 'too_large' } })
    const xml = await client.request({
      method: 'POST',
      url: '/api/create-folder',
      headers: { 'content-type': 'application/xml' },
      payload: '<x/>',
    })
    expect(xml).toMatchObject({ status: 400, body: { code: 'malformed' } })
  })
})

describe('paths', () => {
  it('serves calls without the /api prefix too, unless the client accepts HTML', async () => {
    const { client } = await app.createUser()
    expect(await client.request({ method: 'GET', url: '/files' })).toMatchObject({ status: 200, body: { files: [] } })
    expect((await client.request({ method: 'GET', url: '/files?folderId=' })).status).toBe(200)
    const page = await client.request({ method: 'GET', url: '/files', headers: { accept: 'text/html,*/*' } })
    expect(page.status).toBe(404)
    const created = await client.request({ method: 'POST', url: '/create-folder', payload: { folderName: 'x' } })
    expect(created.status).toBe(201)
  })

  it('returns unknown and invalid paths as errors in the common format', async () => {
    for (const url of ['/api/nothing', '/api/', '/nothing.js', '/api/../secret', '/api/%00', '/%']) {
      const response = await app.visitor.request({ method: 'GET', url })
      expect([400, 404]).toContain(response.status)
      expect(response.body.error).toBe(response.body.message)
    }
  })
})

describe('response headers', () => {
  it('allows only scripts of this origin and forbids framing and content sniffing', async () => {
    const { client } = await app.createUser()
    for (const response of [
      await client.call(listFiles, {}),
      await client.request({ method: 'GET', url: '/api/nothing' }),
    ]) {
      expect(response.headers['content-security-policy']).toContain("script-src 'self';")
      expect(response.headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(response.headers['x-content-type-options']).toBe('nosniff')
      expect(response.headers['x-frame-options']).toBe('DENY')
    }
  })

  it('honours X-Forwarded-Proto only from loopback and trusted proxies', async () => {
    const settings = { publicUrl: 'https://files.example.com', trustedProxies: ['172.30.57.2', 'fd57::/64'] }
    const behind = await createTestApp(settings)
    const isTrusted = async (remoteAddress: string) => {
      const headers = { 'x-forwarded-proto': 'https' }
      const response = await behind.app.inject({ method: 'GET', url: '/api/health', headers, remoteAddress })
      return response.headers['strict-transport-security'] !== undefined
    }
    try {
      for (const proxy of ['127.0.0.1', '172.30.57.2', '::ffff:172.30.57.2', 'fd57::2']) {
        expect([proxy, await isTrusted(proxy)]).toEqual([proxy, true])
      }
      for (const stranger of ['172.30.57.3', '203.0.113.9', 'fd58::2']) {
        expect([stranger, await isTrusted(stranger)]).toEqual([stranger, false])
      }
    } finally {
      await behind.close()
    }
  })

  it('sends HSTS only over TLS and only if the public address is HTTPS', async () => {
    const hstsOf = async ({ visitor }: TestApp, protocol?: string) => {
      const headers: Record<string, string> = protocol ? { 'x-forwarded-proto': protocol } : {}
      const response = await visitor.request({ method: 'GET', url: '/api/health', headers })
      return response.headers['strict-transport-security']
    }
    const behindTls = await createTestApp({ publicUrl: 'https://files.example.com' })
    try {
      expect(await hstsOf(behindTls, 'https')).toBe('max-age=31536000')
      expect(await hstsOf(behindTls, 'http')).toBeUndefined()
      expect(await hstsOf(behindTls)).toBeUndefined()
      expect(await hstsOf(app, 'https')).toBeUndefined()
    } finally {
      await behindTls.close()
    }
  })

  it("allows Stripe's card form only if Stripe keys are set", async () => {
    const keys = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: 'whsec_1' }
    const live = await createTestApp({ stripe: keys })
    const policyOf = async ({ visitor }: TestApp) =>
      (await visitor.request({ method: 'GET', url: '/api/health' })).headers['content-security-policy']
    try {
      expect(await policyOf(live)).toMatch(/script-src 'self' https:\/\/js\.stripe\.com .*frame-src 'self' https:/)
      expect(await policyOf(app)).not.toContain('stripe')
    } finally {
      await live.close()
    }
  })
})

it('reports a healthy server at GET /api/health', async () => {
  expect(await app.visitor.request({ method: 'GET', url: '/api/health' })).toMatchObject({
    status: 200,
    body: { status: 'ok' },
  })
})
