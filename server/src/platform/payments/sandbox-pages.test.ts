import { afterEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'

let app: TestApp
afterEach(() => app.close())

const ask = async (remoteAddress: string, headers: Record<string, string> = {}) => {
  const host = 'localhost:5100'
  const url = '/stripe-sandbox/checkout/cs_test_nothing'
  const response = await app.app.inject({ url, remoteAddress, headers: { host, ...headers } })
  // The sandbox doesn't know this page either, but responds with a page of its own.
  return response.body.includes('There is no such page')
}

describe("the sandbox's pages", () => {
  it('serves the sandbox to this machine, also through a published container port', async () => {
    app = await createTestApp()
    const near = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '172.17.0.1', '::ffff:172.17.0.1', '192.168.65.1', 'fd00::1']
    for (const address of near) expect(await ask(address), address).toBe(true)
    expect(await ask('172.17.0.1', { host: '127.0.0.1:8080' })).toBe(true)
  })

  it('hides the sandbox from other machines, forged host names and proxied requests', async () => {
    app = await createTestApp()
    for (const address of ['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1', '172.32.0.1', '100.64.0.1']) {
      expect(await ask(address), address).toBe(false)
    }
    for (const host of ['evil.example', 'localhost.evil.example', '192.168.65.1:5100']) {
      expect(await ask('172.17.0.1', { host }), host).toBe(false)
    }
    const forwarded = ['127.0.0.1', '192.0.2.1', 'x'].map((client) => ({ 'x-forwarded-for': client }))
    const passedOn: Record<string, string>[] = [...forwarded, { forwarded: 'for=127.0.0.1' }, { via: '1.1 front' }]
    for (const headers of passedOn) {
      expect(await ask('172.17.0.1', headers), JSON.stringify(headers)).toBe(false)
    }
    expect(await ask('127.0.0.1', { 'x-forwarded-for': '192.168.1.5' })).toBe(false)
    expect(await ask('127.0.0.1', { 'x-forwarded-for': 'x' })).toBe(false)
  })

  it('hides the sandbox at a public address', async () => {
    app = await createTestApp({ publicUrl: 'https://alcove.example' })
    expect(await ask('127.0.0.1')).toBe(false)
    expect(await ask('172.17.0.1')).toBe(false)
  })
})
