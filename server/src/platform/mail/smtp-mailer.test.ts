import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { register } from '@alcove/contract/accounts'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { passwordChangedMail, resetMail } from '../../modules/accounts/letters.ts'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import { SmtpMailer } from './smtp-mailer.ts'

interface Received {
  from: string
  to: string[]
  message: string
  user: string | undefined
}

const closings: (() => Promise<unknown> | undefined)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

/** Starts a mail server that records what it receives. */
async function startMailServer(options: SMTPServerOptions = {}): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, session, done) => {
      const { mailFrom, rcptTo } = session.envelope
      void text(stream).then((message) => {
        const from = mailFrom ? mailFrom.address : ''
        received.push({ from, to: rcptTo.map(({ address }) => address), message, user: String(session.user ?? '') })
        done()
      })
    },
    ...options,
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  closings.push(() => new Promise((resolve) => server.close(() => resolve(undefined))))
  return { url: `127.0.0.1:${(server.server.address() as AddressInfo).port}`, received }
}

function openMailer(smtpUrl: string): SmtpMailer {
  const mailer = new SmtpMailer({ smtpUrl, supportEmail: 'help@example.com' })
  closings.push(() => mailer.close())
  return mailer
}

const mail = (to = 'ann@example.com') => resetMail({ to, publicUrl: 'https://alcove.example', token: 'a-token_1' })

/** Decodes quoted-printable as far as these tests need it: folded lines and `=3D`. */
function unfold(message: string): string {
  return message.replaceAll('=\r\n', '').replaceAll('=3D', '=')
}

describe('SmtpMailer', () => {
  it('delivers text and HTML from the support address', async () => {
    const { url, received } = await startMailServer()
    await openMailer(`smtp://${url}`).send(mail())
    expect(received).toMatchObject([{ from: 'help@example.com', to: ['ann@example.com'] }])
    const message = unfold(received[0]?.message ?? '')
    expect(message).toContain('From: Alcove <help@example.com>\r\n')
    expect(message).toContain('To: ann@example.com\r\n')
    expect(message).toContain('Subject: Reset your Alcove password\r\n')
    expect(message).toContain('Auto-Submitted: auto-generated\r\n')
    expect(message).toMatch(/^Message-ID: <[\w-]+@example\.com>\r$/m)
    expect(message).toContain('\r\nhttps://alcove.example/reset-password?token=a-token_1\r\n')
    expect(message).toContain('<a href="https://alcove.example/reset-password?token=a-token_1"')
  })

  it('uses one connection for several mails', async () => {
    let connections = 0
    const { url, received } = await startMailServer({
      onConnect: (_session, done) => {
        connections += 1
        done()
      },
    })
    const mailer = openMailer(`smtp://${url}`)
    for (const to of ['a@example.com', 'b@example.com', 'c@example.com']) await mailer.send(mail(to))
    expect(received.map(({ to }) => to)).toEqual([['a@example.com'], ['b@example.com'], ['c@example.com']])
    expect(connections).toBe(1)
  })

  it('signs in with the user name and password of the SMTP URL', async () => {
    const { url, received } = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === 'mail user' && password === 'p@ss' ? done(null, { user: username }) : done(new Error('no')),
    })
    await openMailer(`smtp://mail%20user:p%40ss@${url}`).send(mail())
    expect(received).toMatchObject([{ user: 'mail user' }])
    await expect(openMailer(`smtp://mail%20user:wrong@${url}`).send(mail())).rejects.toThrow()
  })

  it('never splits an address into several recipients', async () => {
    const { url, received } = await startMailServer()
    const to = 'a@example.com, b@example.com'
    await openMailer(`smtp://${url}`)
      .send(passwordChangedMail({ to, supportEmail: 'x@example.com' }))
      .catch(() => {})
    expect(received.flatMap((each) => each.to)).not.toContain('b@example.com')
  })

  it('rejects if the server refuses the mail or is unreachable', async () => {
    const { url } = await startMailServer({ onRcptTo: (_address, _session, done) => done(new Error('full')) })
    await expect(openMailer(`smtp://${url}`).send(mail())).rejects.toThrow(/full/)
    await expect(openMailer('smtp://127.0.0.1:1').send(mail())).rejects.toThrow()
  })
})

describe('registration with a mail server', () => {
  const input = { email: 'ann@example.com', password: 'Correct-horse-7' }
  const start = async (smtpUrl: string) => {
    const app: TestApp = await createTestApp({ smtpUrl })
    closings.push(() => app.close())
    return app
  }

  it('sends the activation mail', async () => {
    const { url, received } = await startMailServer()
    const app = await start(`smtp://${url}`)
    expect((await app.visitor.call(register, input)).status).toBe(201)
    await expect.poll(() => received.length, { timeout: 5000 }).toBe(1)
    expect(unfold(received[0]?.message ?? '')).toMatch(/\/activate\?token=[\w-]{43}\r\n/)
  })

  it('does not wait for a silent mail server, and retries after a failure', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    closings.push(() => new Promise((resolve) => silent.close(resolve)))
    const app = await start(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`)
    // The mail server stays silent until its connections are closed below.
    expect((await app.visitor.call(register, input)).status).toBe(201)
    await expect.poll(() => sockets.length).toBe(1)
    sockets[0]?.destroy()
    await expect.poll(() => sockets.length).toBe(2)
    sockets[1]?.destroy()
    const job = () => app.services.db.selectFrom('jobs').select(['attempts', 'run_at']).executeTakeFirst()
    await expect.poll(job).toEqual({ attempts: 1, run_at: app.clock.now() + 2000 })
  })
})
