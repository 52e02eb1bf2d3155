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

/** Something for every parameter of a path, so that the path is a call's. */
function pathParametersOf(call: AnyCall): Record<string, string> {
  return Object.fromEntries(pathParameters(call.path).map((name) => [name, randomUUID()]))
}

const named = allCalls.map((call) => [`${call.method} ${call.path}`, call] as const)

describe('every call', () => {
  it.each(named.filter(([, call]) => call.access !== 'public'))('asks for a session: %s', async (_name, call) => {
    const response = await app.visitor.raw(call, pathParametersOf(call))
    expect(response).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated', error: 'Your session has expired.' },
    })
    for (const authorization of ['Bearer nonsense', 'Bearer a.b.c', 'Basic eDp4', 'Bearer ']) {
      expect((await app.visitor.raw(call, pathParametersOf(call), { authorization })).status).toBe(401)
    }
  })

  it.each(named)('answers nonsense with a clear refusal, never a fault of ours: %s', async (_name, call) => {
    const { client } = await app.createUser()
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

  it.each(named)('is in the description of the API: %s', async (_name, call) => {
    const { body } = await app.visitor.request<{ paths: Record<string, Record<string, unknown>> }>({
      method: 'GET',
      url: '/api/openapi.json',
    })
    expect(body.paths[call.path]?.[call.method.toLowerCase()]).toMatchObject({ summary: call.summary })
  })
})

describe('a body', () => {
  it.each([
    ['that is no JSON', '{"folderName":'],
    ['that is empty', ''],
    ['that is a list', '[]'],
    ['that is a word', '"text"'],
    ['that reaches for the prototype', '{"__proto__": {"folderName": "x"}}'],
  ])('%s is refused as malformed', async (_what, payload) => {
    const { client } = await app.createUser()
    const response = await client.request({
      method: 'POST',
      url: '/api/create-folder',
      headers: { 'content-type': 'application/json' },
      payload,
    })
    expect(response).toMatchObject({ status: 400, body: { code: 'malformed' } })
  })

  it('that is too large, or of another type, is refused as such', async () => {
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

describe('an address', () => {
  it('of a call is served at the root too, unless a page is asked for', async () => {
    const { client } = await app.createUser()
    expect(await client.request({ method: 'GET', url: '/files' })).toMatchObject({ status: 200, body: { files: [] } })
    expect((await client.request({ method: 'GET', url: '/files?folderId=' })).status).toBe(200)
    const page = await client.request({ method: 'GET', url: '/files', headers: { accept: 'text/html,*/*' } })
    expect(page.status).toBe(404)
    const created = await client.request({ method: 'POST', url: '/create-folder', payload: { folderName: 'x' } })
    expect(created.status).toBe(201)
  })

  it('of nothing is answered in the one error format', async () => {
    for (const url of ['/api/nothing', '/api/', '/nothing.js', '/api/../secret', '/api/%00', '/%']) {
      const response = await app.visitor.request({ method: 'GET', url })
      expect([400, 404]).toContain(response.status)
      expect(response.body.error).toBe(response.body.message)
    }
  })
})

describe('every answer', () => {
  it('tells browsers to run our scripts alone, frame nothing and guess no types', async () => {
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

  it('believes the proxies that are named, and nobody else, for what they ask', async () => {
    const settings = { publicUrl: 'https://files.example.com', trustedProxies: ['172.30.57.2', 'fd57::/64'] }
    const behind = await createTestApp(settings)
    const isBelieved = async (remoteAddress: string) => {
      const headers = { 'x-forwarded-proto': 'https' }
      const response = await behind.app.inject({ method: 'GET', url: '/api/health', headers, remoteAddress })
      return response.headers['strict-transport-security'] !== undefined
    }
    try {
      for (const proxy of ['127.0.0.1', '172.30.57.2', '::ffff:172.30.57.2', 'fd57::2']) {
        expect([proxy, await isBelieved(proxy)]).toEqual([proxy, true])
      }
      for (const stranger of ['172.30.57.3', '203.0.113.9', 'fd58::2']) {
        expect([stranger, await isBelieved(stranger)]).toEqual([stranger, false])
      }
    } finally {
      await behind.close()
    }
  })

  it('holds browsers to TLS where the public address has it, over TLS alone', async () => {
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

  it("lets Stripe's card form in where the operator has a key, and nowhere else", async () => {
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

  it('says that the server is well when it is', async () => {
    expect(await app.visitor.request({ method: 'GET', url: '/api/health' })).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    })
  })
})
