import { randomUUID } from 'node:crypto'
import { login } from '@alcove/contract/accounts'
import { getMaintenanceSettings, setMaintenance } from '@alcove/contract/admin-site'
import { listAuditLog } from '@alcove/contract/audit'
import { getDownloadUrl } from '@alcove/contract/bytes'
import { getStorage } from '@alcove/contract/files'
import { MEBIBYTE } from '@alcove/contract/limits'
import { getPublicItem, updatePublicLink } from '@alcove/contract/sharing'
import { getMaintenance } from '@alcove/contract/site'
import { completeUpload } from '@alcove/contract/uploads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runTestCommand } from '../../../testing/clients/operator.ts'
import { createTestApp, openTestServer, type TestApp } from '../../../testing/engines/test-app.ts'
import { addAppPassword } from '../../../testing/factories/app-passwords.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'

let app: TestApp
let admin: TestUser
let user: TestUser
beforeEach(async () => {
  app = await createTestApp()
  admin = await app.createUser({ isAdmin: true })
  user = await app.createUser()
})
afterEach(() => app.close())

const begin = (message?: string) => admin.client.call(setMaintenance, { on: true, ...(message && { message }) })
const run = (...given: string[]) => runTestCommand(app.services.config, app.clock, ...given)
const basic = (email: string, secret: string) => `Basic ${Buffer.from(`${email}:${secret}`).toString('base64')}`

describe('during maintenance', () => {
  it('everybody but administrators gets 503 with the message and a time to try again', async () => {
    await begin('Back at 21:00.')
    for (const client of [user.client, app.visitor]) {
      const { status, body, headers } = await client.raw(getStorage, {})
      expect({ status, code: body.code, error: body.error }).toEqual({
        status: 503,
        code: 'maintenance',
        error: 'Back at 21:00.',
      })
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await admin.client.call(getStorage, {})).body).toMatchObject({ is_admin: true, in_maintenance: true })
    expect((await app.visitor.call(getMaintenance, {})).body).toEqual({ message: 'Back at 21:00.' })
  })

  it('an address that is written in another way is no way around it', async () => {
    await begin()
    const headers = { authorization: `Bearer ${user.token}` }
    for (const url of [
      '/%61pi/storage',
      '/api/%73torage',
      '/api/storage?x',
      `/api/storage?owner=${admin.id}`,
      '/api//storage',
      '/API/storage',
      '/%64av/',
      '/d%61v',
    ]) {
      const { statusCode, body } = await app.app.inject({ url, headers })
      expect(body, url).not.toContain('used_bytes')
      expect([404, 503], url).toContain(statusCode)
    }
  })

  it('sessions are kept, and work again when it ends', async () => {
    await begin()
    expect((await user.client.raw(getStorage, {})).body.error).toBe(
      'Alcove is under maintenance. Please try again later.',
    )
    await admin.client.call(setMaintenance, { on: false })
    expect((await user.client.call(getStorage, {})).status).toBe(200)
    expect((await app.visitor.call(getMaintenance, {})).body).toEqual({ message: null })
  })

  it('administrators sign in, and nobody else does', async () => {
    await begin()
    const attempt = (email: string, password = TEST_PASSWORD) => app.visitor.raw(login, { email, password })
    expect((await attempt(admin.email)).status).toBe(200)
    expect((await attempt(user.email)).body.code).toBe('maintenance')
    expect((await attempt(user.email, 'Wrong1password$')).body.code).toBe('incorrect_credentials')
  })

  it('administrators open the signed addresses of their files, and others don’t', async () => {
    const addresses = new Map<TestUser, string>()
    for (const one of [admin, user]) {
      const { id } = await one.client.upload('a.txt', 'text')
      addresses.set(one, (await one.client.call(getDownloadUrl, { id })).body.url)
    }
    await begin()
    const open = async (one: TestUser) => {
      const { pathname, search } = new URL(addresses.get(one) ?? '')
      return (await app.app.inject({ url: pathname + search })).statusCode
    }
    expect([await open(admin), await open(user)]).toEqual([200, 503])
  })

  it('clients of WebDAV and Nextcloud learn of it in their own words, and those of administrators work', async () => {
    const [ofUser, ofAdmin] = [await addAppPassword(app, user), await addAppPassword(app, admin)]
    await begin('Back <soon>.')
    const propfind = (email: string, secret: string) =>
      app.app.inject({
        method: 'PROPFIND' as 'GET',
        url: `/remote.php/dav/files/${encodeURIComponent(email)}/`,
        headers: { authorization: basic(email, secret), depth: '0' },
      })
    const refused = await propfind(user.email, ofUser.secret)
    expect(refused.statusCode).toBe(503)
    expect(refused.headers).toMatchObject({ 'x-nextcloud-maintenance-mode': '1', 'retry-after': '60' })
    expect(refused.body).toContain('<s:exception>Sabre\\DAV\\Exception\\ServiceUnavailable</s:exception>')
    expect(refused.body).toContain('Back &lt;soon')
    expect((await propfind(admin.email, ofAdmin.secret)).statusCode).toBe(207)
    expect((await app.app.inject({ url: '/status.php' })).json()).toMatchObject({ maintenance: true })
    const ocs = await app.app.inject({ url: '/ocs/v2.php/cloud/capabilities?format=json' })
    expect(ocs.statusCode).toBe(503)
  })

  it('public links tell nothing but the message', async () => {
    const { id } = await user.client.upload('a.txt', 'text')
    const { link } = (await user.client.call(updatePublicLink, { id, enabled: true })).body
    const token = link.split('/').at(-1) ?? ''
    expect((await app.visitor.raw(getPublicItem, { token })).status).toBe(200)
    await begin('Back at 21:00.')
    expect((await app.visitor.raw(getPublicItem, { token })).body.error).toBe('Back at 21:00.')
  })

  it('the health check stays green', async () => {
    await begin()
    expect((await app.app.inject({ url: '/api/health' })).statusCode).toBe(200)
  })

  it('an upload is refused without losing what has arrived, and goes on afterwards', async () => {
    const uploadId = randomUUID()
    const chunk = (chunkIndex: number) =>
      user.client.sendChunk({ uploadId, filename: 'film.bin', chunkIndex, totalChunks: 2 }, 'x'.repeat(10))
    expect((await chunk(0)).status).toBe(200)
    await begin()
    for (const { status, body, headers } of [await chunk(1), await user.client.raw(completeUpload, { uploadId })]) {
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'maintenance', '60'])
    }
    await admin.client.call(setMaintenance, { on: false })
    expect((await chunk(1)).status).toBe(200)
    expect((await user.client.call(completeUpload, { uploadId })).body).toMatchObject({ size: 20 })
  })

  it('a server that restarts stays under maintenance', async () => {
    await begin('Back at 21:00.')
    const restarted = await openTestServer(app.services.config, app.clock)
    try {
      const { status, body } = await restarted.as(user.token).raw(getStorage, {})
      expect([status, body.error]).toEqual([503, 'Back at 21:00.'])
      const administrator = restarted.as(admin.token)
      expect((await administrator.call(getStorage, {})).body).toMatchObject({ in_maintenance: true })
      expect((await administrator.call(setMaintenance, { on: false })).status).toBe(200)
      expect((await restarted.as(user.token).raw(getStorage, {})).status).toBe(200)
    } finally {
      await restarted.stop()
    }
  })

  it('a download that runs finishes', async () => {
    // More than the buffers of a connection hold.
    const size = 16 * MEBIBYTE
    const { id } = await user.client.upload('large.txt', 'x'.repeat(size))
    const { pathname, search } = new URL((await user.client.call(getDownloadUrl, { id })).body.url)
    const address = new URL(pathname + search, await app.app.listen({ port: 0, host: '127.0.0.1' }))
    const running = await fetch(address)
    await begin()
    expect((await fetch(address)).status).toBe(503)
    expect(await running.text()).toHaveLength(size)
  })
})

describe('the commands', () => {
  it('begin and end maintenance, also while the server runs, and are noted', async () => {
    const { code, printed } = await run('maintenance', 'on', 'Moving to a new disk.')
    expect({ code, printed }).toEqual({
      code: 0,
      printed: ['Maintenance is on. Everybody but administrators reads: Moving to a new disk.'],
    })
    await expect.poll(async () => (await user.client.raw(getStorage, {})).status).toBe(503)
    expect((await admin.client.call(getMaintenanceSettings, {})).body.on).toBe(true)
    expect((await run('maintenance', 'off')).code).toBe(0)
    await expect.poll(async () => (await user.client.raw(getStorage, {})).status).toBe(200)
    expect((await admin.client.call(listAuditLog, {})).body.entries).toMatchObject([
      { action: 'site.maintenance', via: 'command', details: { on: false } },
      { action: 'site.maintenance', via: 'command', details: { on: true, message: 'Moving to a new disk.' } },
    ])
  })
})
