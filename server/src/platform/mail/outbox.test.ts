import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { activationMail } from '../../modules/accounts/letters.ts'
import { createTestApp, type TestApp, TestClock } from '../../testing/engines/test-app.ts'
import { OutboxMailer, parseMail } from './outbox.ts'

const mail = (to = 'ann@example.com', token = 'a-token_1') =>
  activationMail({ to, publicUrl: 'http://localhost:5100', token })

let app: TestApp | undefined
afterEach(async () => {
  await app?.close()
  app = undefined
})

describe('the outbox', () => {
  it('stores each mail as a private file named by time and kind', async () => {
    app = await createTestApp()
    await app.services.mailer.send(mail())
    const outbox = join(app.dataDir, 'outbox')
    expect(await readdir(outbox)).toEqual(['2026-01-15T12-00-00-000Z-activation.eml'])
    expect((await stat(outbox)).mode & 0o777).toBe(0o700)
    expect((await stat(join(outbox, '2026-01-15T12-00-00-000Z-activation.eml'))).mode & 0o777).toBe(0o600)
  })

  it('keeps all mails intact when many are sent at the same time', async () => {
    app = await createTestApp()
    const { mailer, clock, log } = app.services
    const directory = join(app.dataDir, 'outbox')
    const other = new OutboxMailer(directory, 'support@localhost', clock, log)
    const addresses = Array.from({ length: 20 }, (_, index) => `user-${index}@example.com`)
    await Promise.all(addresses.map((to, index) => (index % 2 ? mailer : other).send(mail(to))))
    const names = await readdir(directory)
    const found = await Promise.all(
      names.map(async (name) => parseMail(await readFile(join(directory, name), 'utf8')).to),
    )
    expect(found.sort()).toEqual(addresses.sort())
  })

  it('names mails so that they sort in the order of sending', async () => {
    app = await createTestApp()
    const kinds = ['reset', 'password-changed', 'activation', 'reset']
    for (const kind of kinds) await app.services.mailer.send({ ...mail(), kind })
    const names = (await readdir(join(app.dataDir, 'outbox'))).sort()
    expect(names.map((name) => name.slice(25, -4))).toEqual(kinds)
  })

  it('writes the link on a line of its own in the file, and into the log', async () => {
    app = await createTestApp()
    const lines = new PassThrough()
    await new OutboxMailer(join(app.dataDir, 'outbox'), 'help@example.com', new TestClock(), pino(lines)).send(mail())
    const link = 'http://localhost:5100/activate?token=a-token_1'
    const [written] = await app.readMails()
    expect(written).toContain(`\n${link}\n`)
    expect(written).toContain('From: Alcove <help@example.com>\n')
    expect(JSON.parse(String(lines.read()))).toMatchObject({ link, to: 'ann@example.com' })
  })
})

describe('the outbox page', () => {
  const page = (headers: Record<string, string> = {}) => ({
    method: 'GET' as const,
    url: '/outbox',
    headers: { accept: 'text/html', host: 'localhost:5100', ...headers },
  })

  it('lists the mails, newest first, with their links', async () => {
    app = await createTestApp()
    expect((await app.app.inject(page())).body).toContain('No mail has been sent yet.')
    await app.services.mailer.send(mail('first@example.com', 'first'))
    app.clock.advance(60_000)
    await app.services.mailer.send(mail('second@example.com', 'second'))
    const response = await app.app.inject(page())
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['content-security-policy']).toContain("script-src 'self'")
    expect(response.body.indexOf('second@example.com')).toBeLessThan(response.body.indexOf('first@example.com'))
    expect(response.body).toContain('Activate your Alcove account</a>')
    expect(response.body).toContain('To first@example.com, Thu, 15 Jan 2026 12:00:00 GMT')
    expect(response.body).toContain('<a href="http://localhost:5100/activate?token=first">')
  })

  it('shows a mail as text and as sandboxed HTML', async () => {
    app = await createTestApp()
    await app.services.mailer.send(mail())
    const [, address] = /href="(\/outbox\/[^"]+)"/.exec((await app.app.inject(page())).body) ?? []
    const response = await app.app.inject({ ...page(), url: address as string })
    expect(response.statusCode).toBe(200)
    expect(response.body).toContain('<pre>Welcome to Alcove\n')
    const [, sandbox, frame] = /<iframe [^>]*sandbox="([^"]*)" srcdoc="([^"]*)"><\/iframe>/.exec(response.body) ?? []
    expect(sandbox).toBe('allow-popups allow-popups-to-escape-sandbox')
    expect(frame).toContain('Welcome to Alcove&#60;/h1&#62;')
    expect(response.body).toContain('<a href="http://localhost:5100/activate?token=a-token_1">')
  })

  it('escapes HTML in mails', async () => {
    app = await createTestApp()
    const evil = '<script>alert(1)</script>" onclick="x'
    const text = `${evil}\nhttp://x/"><script>\n`
    await app.services.mailer.send({ ...mail(), subject: evil, text, html: evil, to: `${evil}@example.com` })
    const list = (await app.app.inject(page())).body
    const [, address] = /href="(\/outbox\/[^"]+)"/.exec(list) ?? []
    const one = (await app.app.inject({ ...page(), url: address as string })).body
    for (const html of [list, one]) {
      expect(html).not.toContain('<script')
      expect(html).not.toContain('" onclick')
    }
  })

  it('serves no files other than mails', async () => {
    app = await createTestApp()
    await app.services.mailer.send(mail())
    await writeFile(join(app.dataDir, 'outbox', 'other.eml'), 'x')
    const names = ['other.eml', '..%2Fsecret', '%2e%2e%2fsecret', '2026-01-15T12-00-00-000Z-none.eml', 'x', '%00']
    for (const name of names) {
      const response = await app.app.inject({ ...page(), url: `/outbox/${name}` })
      expect(response.statusCode, name).toBeGreaterThanOrEqual(400)
      expect(response.statusCode, name).toBeLessThan(500)
    }
  })

  it('returns 404 to other machines, through proxies and for other host names', async () => {
    app = await createTestApp()
    await app.services.mailer.send(mail())
    const strangers = [
      { ...page(), remoteAddress: '192.0.2.1' },
      page({ 'x-forwarded-for': '192.0.2.1' }),
      page({ host: 'evil.example:5100' }),
      page({ host: 'evil.example:5100', 'x-forwarded-host': 'localhost' }),
      page({ host: 'localhost.evil.example' }),
      ...['x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'via', 'forwarded'].map((name) =>
        page({ [name]: 'x' }),
      ),
    ]
    for (const request of strangers) {
      const response = await app.app.inject(request)
      expect(response.statusCode).toBe(404)
      expect(response.json()).toMatchObject({ code: 'not_found' })
    }
    const [name] = await readdir(join(app.dataDir, 'outbox'))
    const one = await app.app.inject({ ...page(), url: `/outbox/${name}`, remoteAddress: '192.0.2.1' })
    expect(one.statusCode).toBe(404)
  })

  it('returns 404 if the public address is not this machine', async () => {
    app = await createTestApp({ publicUrl: 'https://alcove.example' })
    expect((await app.app.inject(page())).statusCode).toBe(404)
  })

  it('returns 404 if a mail server is configured', async () => {
    app = await createTestApp({ smtpUrl: 'smtp://127.0.0.1:1' })
    expect((await app.app.inject(page())).statusCode).toBe(404)
  })
})
