import { chmod, readdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type CheckResult, getChecks, runChecks, sendTestMail } from '@alcove/contract/admin-checks'
import { listAuditLog } from '@alcove/contract/audit'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { signParts } from '../../../platform/crypto/secrets.ts'
import { SmtpMailer } from '../../../platform/mail/smtp-mailer.ts'
import { runTestCommand } from '../../../testing/clients/operator.ts'
import { findFreePort } from '../../../testing/engines/ports.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { proxyHeaders } from './address-checks.ts'

let app: TestApp
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) server.close()
  await app.close()
})

/** Starts the app at a port, which is its public address unless another one is given. */
async function start(settings: Partial<TestApp['services']['config']> = {}): Promise<void> {
  const port = await findFreePort()
  app = await createTestApp({ publicUrl: `http://127.0.0.1:${port}`, ...settings })
  await app.app.listen({ port, host: '127.0.0.1' })
}

/** Listens on a port of this machine, and closes after the test. */
async function listen(server: Server, port = 0): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function check(id: string): Promise<CheckResult> {
  const admin = await app.createUser({ isAdmin: true })
  const { checks } = (await admin.client.call(runChecks, {})).body
  return checks.find((one) => one.id === id) as CheckResult
}

describe('the public address', () => {
  it('is recognized as this server’s own', async () => {
    await start()
    expect(await check('public-address')).toMatchObject({ state: 'ok', fix: null })
    expect(await check('proxy')).toMatchObject({ state: 'ok', message: expect.stringContaining('no proxy') })
    expect(await check('https')).toMatchObject({ state: 'skipped' })
  })

  it('fails if another server answers there, even another Alcove', async () => {
    await start()
    const foreign = await listen(createServer((_request, response) => response.end('{"proof":"x"}')))
    await app.close()
    app = await createTestApp({ publicUrl: `http://127.0.0.1:${foreign}` })
    expect(await check('public-address')).toMatchObject({
      state: 'failed',
      message: `Something else than this server answers at http://127.0.0.1:${foreign} (HTTP 200).`,
    })
    const other = await createTestApp()
    await other.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = other.app.server.address() as AddressInfo
    await app.close()
    app = await createTestApp({ publicUrl: `http://127.0.0.1:${port}` })
    expect(await check('public-address')).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('HTTP 404'),
    })
    await other.close()
  })

  it('fails with the reason if nothing answers, or if it leads elsewhere', async () => {
    await start({ publicUrl: `http://127.0.0.1:${await findFreePort()}` })
    expect(await check('public-address')).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('Nothing'),
    })
    const port = await listen(
      createServer((_request, response) => response.writeHead(301, { location: 'https://cloud.example.com/x' }).end()),
    )
    await app.close()
    app = await createTestApp({ publicUrl: `http://127.0.0.1:${port}` })
    expect(await check('public-address')).toMatchObject({
      state: 'failed',
      message: `http://127.0.0.1:${port} leads to another address, https://cloud.example.com.`,
    })
  })

  it('can’t be asked by strangers, nor with an old question', async () => {
    await start()
    const asked: string[] = []
    const { port } = app.app.server.address() as AddressInfo
    const proxy = await listen(
      createServer(async (request, response) => {
        asked.push(request.url as string)
        response.end(await (await fetch(`http://127.0.0.1:${port}${request.url}`)).text())
      }),
    )
    Object.assign(app.services.config, { publicUrl: `http://127.0.0.1:${proxy}` })
    expect(await check('public-address')).toMatchObject({ state: 'ok' })
    const [path = ''] = asked
    const status = async (url: string) => (await app.visitor.request({ method: 'GET', url })).status
    expect(await status(path)).toBe(200)
    expect(await status(path.replace(/\d{13}/, (time) => String(Number(time) + 1)))).toBe(404)
    expect(await status('/api/self-test/9999999999999/x/y')).toBe(404)
    app.clock.advance(60_001)
    expect(await status(path)).toBe(404)
  })
})

describe('the proxy', () => {
  /** Starts a proxy on this machine that passes requests on from another address of it, with some headers. */
  async function startBehindProxy(headers: Record<string, string>, trustedProxies: string[] = []): Promise<void> {
    await start({ trustedProxies })
    const { port } = app.app.server.address() as AddressInfo
    const proxy = await listen(
      createServer(async (request, response) => {
        const passed = await fetch(`http://127.0.0.1:${port}${request.url}`, { headers })
        response.writeHead(passed.status).end(await passed.text())
      }),
    )
    Object.assign(app.services.config, { publicUrl: `http://127.0.0.1:${proxy}` })
  }

  it('is fine if it names the client', async () => {
    await startBehindProxy({ 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'http' })
    expect(await check('proxy')).toMatchObject({
      state: 'ok',
      message: expect.stringContaining('127.0.0.1 are trusted'),
    })
  })

  it('fails if it doesn’t name the client', async () => {
    await startBehindProxy({ via: '1.1 proxy' })
    expect(await check('proxy')).toMatchObject({ state: 'failed', fix: expect.stringContaining('X-Forwarded-For') })
  })
})

describe('a proxy on another machine', () => {
  /** Asks how a request arrives that a proxy passes on, and what the check says about it. */
  async function askThrough(trustedProxies: string[]) {
    await start({ trustedProxies })
    const { secrets, config } = app.services
    const [expires, nonce] = [String(app.clock.now() + 1000), 'nonce']
    const signature = signParts(secrets.selfTestKey, ['ask', expires, nonce])
    const url = `/api/self-test/${expires}/${nonce}/${signature}`
    const headers = { 'x-forwarded-for': '198.51.100.7' }
    const arrival = (await app.app.inject({ method: 'GET', url, headers, remoteAddress: '203.0.113.1' })).json()
    Object.assign(config, { publicUrl: 'https://cloud.example.com' })
    const { signal } = new AbortController()
    const probe = async () => ({ kind: 'own' as const, arrival })
    return proxyHeaders.run({ services: app.services, signal, probeAddress: probe })
  }

  it('fails with the setting that trusts it', async () => {
    expect(await askThrough([])).toMatchObject({
      state: 'failed',
      fix: 'Set ALCOVE_TRUSTED_PROXIES=203.0.113.1 and restart the server.',
    })
  })

  it('is trusted once it is set, and told to send the protocol', async () => {
    expect(await askThrough(['203.0.113.0/24'])).toMatchObject({
      state: 'warning',
      fix: expect.stringContaining('X-Forwarded-Proto'),
    })
  })
})

describe('mail', () => {
  it('fails on a public server without a mail server, and is skipped on this machine', async () => {
    await start()
    expect(await check('mail')).toMatchObject({ state: 'skipped' })
    Object.assign(app.services.config, { publicUrl: 'http://192.0.2.1' })
    expect(await check('mail')).toMatchObject({ state: 'failed', fix: expect.stringContaining('ALCOVE_SMTP_URL') })
  })

  it('names an unreachable mail server without showing its password', async () => {
    await start()
    const smtpUrl = 'smtp://someone:very-secret@127.0.0.1:9'
    Object.assign(app.services, { mailer: new SmtpMailer({ ...app.services.config, smtpUrl }) })
    const found = await check('mail')
    expect(found).toMatchObject({ state: 'failed', fix: expect.stringContaining('ALCOVE_SMTP_URL') })
    expect(JSON.stringify(found)).not.toContain('very-secret')
    const admin = await app.createUser({ isAdmin: true })
    expect(await admin.client.call(sendTestMail, {})).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  })

  it('sends a test mail to the administrator, and notes it', async () => {
    await start()
    const admin = await app.createUser({ isAdmin: true })
    expect((await admin.client.call(sendTestMail, {})).body.message).toContain('outbox')
    expect((await app.readMails()).join()).toContain(`To: ${admin.email}`)
    const { entries } = (await admin.client.call(listAuditLog, {})).body
    expect(entries).toMatchObject([{ action: 'mail.test', target: admin.email, actor: admin.email }])
  })
})

it('checks database, stored bytes, disk, secret and programs of this machine, and leaves nothing behind', async () => {
  await start()
  const before = await readdir(app.dataDir)
  for (const id of ['database', 'stored-bytes', 'secret']) expect(await check(id)).toMatchObject({ state: 'ok' })
  expect((await check('disk')).message).toMatch(/per second/)
  expect(['ok', 'warning']).toContain((await check('ffmpeg')).state)
  expect(await check('redis')).toMatchObject({ state: app.services.config.redisUrl ? 'ok' : 'skipped' })
  expect((await readdir(app.dataDir)).filter((name) => !before.includes(name) && name.startsWith('disk'))).toEqual([])
  expect(await app.services.db.selectFrom('blobs').select('key').execute()).toEqual([])
})

it('fails if other users can read the data folder, or the database through it', async () => {
  await start()
  await chmod(app.dataDir, 0o755)
  expect(await check('secret')).toMatchObject({ state: 'failed', fix: expect.stringContaining('chmod 700') })
  // As for nginx, which may traverse the folder.
  await chmod(app.dataDir, 0o710)
  await chmod(join(app.dataDir, 'secret'), 0o640)
  expect(await check('secret')).toMatchObject({ state: 'failed', fix: expect.stringContaining('chmod 600') })
})

it('warns if ffmpeg is missing', async () => {
  await start({ programPath: '' })
  expect(await check('ffmpeg')).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('ffmpeg and ffprobe'),
  })
})

it('reports a database whose tables are of another version', async () => {
  await start()
  const { db } = app.services
  await sql`insert into kysely_migration (name, timestamp) values ('999-of-the-future', '2099-01-01')`.execute(db)
  expect(await check('database')).toMatchObject({ state: 'failed' })
  await sql`delete from kysely_migration where name = '999-of-the-future'`.execute(db)
})

it('keeps results for an hour, unless an administrator runs the checks again', async () => {
  await start()
  const admin = await app.createUser({ isAdmin: true })
  const checkedAt = async (call: typeof getChecks | typeof runChecks) =>
    (await admin.client.call(call, {})).body.checkedAt
  const first = await checkedAt(getChecks)
  app.clock.advance(1000)
  expect(await checkedAt(getChecks)).toBe(first)
  const second = await checkedAt(runChecks)
  expect(second).not.toBe(first)
  expect(await checkedAt(getChecks)).toBe(second)
  app.clock.advance(3_600_000)
  expect(await checkedAt(getChecks)).not.toBe(second)
})

it('prints the same with “alcove doctor”, which fails if a check fails', async () => {
  await start()
  const healthy = await runTestCommand(app.services.config, app.clock, 'doctor')
  expect(healthy.printed.join('\n')).toMatch(/✓ Public address +This server answers/)
  const port = await findFreePort()
  const broken = { ...app.services.config, publicUrl: `http://127.0.0.1:${port}` }
  const { code, printed, errors } = await runTestCommand(broken, app.clock, 'doctor')
  // On PostgreSQL, the clock of the test differs too.
  expect([code, errors]).toEqual([1, [expect.stringMatching(/^\d checks? failed\.$/)]])
  expect(printed.join('\n')).toMatch(
    /✗ Public address +Nothing answers at http:\/\/127.0.0.1:\d+ \(ECONNREFUSED\)\.\n +Start/,
  )
})
