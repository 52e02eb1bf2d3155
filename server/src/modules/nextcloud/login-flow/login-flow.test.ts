import { listAppPasswords, revokeAppPassword } from '@alcove/contract/app-passwords'
import { listItems } from '@alcove/contract/item-calls'
import { LOGIN_FLOW_TTL, MAX_APP_PASSWORDS } from '@alcove/contract/limits'
import { allowLoginFlow, denyLoginFlow, getLoginFlow } from '@alcove/contract/login-flows'
import { describe, expect, it } from 'vitest'
import { TestClient } from '../../../testing/clients/client.ts'
import { readSubjects } from '../../../testing/clients/sign-up.ts'
import { sendUntilLimited } from '../../../testing/clients/until-limited.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { addAppPassword } from '../../../testing/factories/app-passwords.ts'
import { app, setUpDrive, user } from '../../../testing/factories/drive.ts'
import { sweepLoginFlows } from './sweep-login-flows.ts'

setUpDrive()

const DESKTOP = 'work-laptop (Desktop Client - Linux)'

interface Started {
  poll: { token: string; endpoint: string }
  login: string
}

async function start(userAgent = DESKTOP, on: TestApp = app, ip = '203.0.113.9') {
  const { status, body } = await on.visitor.request<Started>({
    method: 'POST',
    url: '/index.php/login/v2',
    // As the desktop client: no body, but a form's type.
    headers: {
      'user-agent': userAgent,
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': ip,
    },
  })
  return { status, body, token: body.login?.split('/').at(-1) ?? '', pollToken: body.poll?.token ?? '' }
}

function poll(token: string, url = '/index.php/login/v2/poll') {
  return app.visitor.request<{ server: string; loginName: string; appPassword: string }>({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `token=${token}`,
  })
}

/** Opens the page as the web view of a client does (flow v1). */
async function openInClient(headers: Record<string, string> = { 'ocs-apirequest': 'true' }) {
  const { status, headers: sent } = await app.visitor.request({ method: 'GET', url: '/index.php/login/flow', headers })
  return { status, token: String(sent.location).split('/').at(-1) ?? '', location: sent.location }
}

const get = (token: string) => user.client.call(getLoginFlow, { token })
const allow = (token: string) => user.client.call(allowLoginFlow, { token })
const deny = (token: string) => user.client.call(denyLoginFlow, { token })
const passwordNames = async () =>
  (await user.client.call(listAppPasswords, {})).body.appPasswords.map(({ name, scope }) => ({ name, scope }))
const rows = () => app.services.db.selectFrom('login_flows').selectAll().execute()
const sealedSecrets = async () =>
  (await rows()).map(({ sealed_secret }) => sealed_secret).filter((sealed) => sealed !== null)

describe('a client that polls (flow v2)', () => {
  it('gets an app password once after the user has allowed it', async () => {
    const { body, token, pollToken } = await start()
    const { publicUrl } = app.services.config
    expect(body).toEqual({
      poll: { token: pollToken, endpoint: `${publicUrl}/index.php/login/v2/poll` },
      login: `${publicUrl}/login/flow/${token}`,
    })
    expect((await poll(pollToken)).status).toBe(404)
    expect((await get(token)).body).toEqual({
      app: DESKTOP,
      ip: '203.0.113.9',
      startedAt: new Date(app.clock.now()).toISOString(),
      account: user.email,
    })
    expect(await allow(token)).toMatchObject({ status: 200, body: { redirect: null } })
    expect(await passwordNames()).toEqual([{ name: DESKTOP, scope: 'write' }])
    expect((await readSubjects(app, user.email)).at(-1)).toBe('An app password was created - Alcove')

    const { status, body: credentials, headers } = await poll(pollToken)
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(credentials).toEqual({ server: publicUrl, loginName: user.email, appPassword: expect.any(String) })
    const client = new TestClient(app.app, credentials.appPassword)
    expect((await client.call(listItems, {})).status).toBe(200)
    expect((await poll(pollToken)).status).toBe(404)
  })

  it('is served at the short addresses too, with the token in the query as iOS sends it', async () => {
    const started = await app.visitor.request<Started>({ method: 'POST', url: '/login/v2' })
    expect(started.status).toBe(200)
    const token = started.body.login.split('/').at(-1) as string
    await allow(token)
    const url = `/login/v2/poll?token=${started.body.poll.token}`
    expect((await app.visitor.request({ method: 'POST', url })).status).toBe(200)
  })

  it('gets nothing after the user has denied it', async () => {
    const { token, pollToken } = await start()
    expect((await deny(token)).status).toBe(200)
    for (const answer of [allow, deny, get]) expect((await answer(token)).status).toBe(404)
    expect((await poll(pollToken)).status).toBe(404)
    expect(await passwordNames()).toEqual([])
  })

  it('gets nothing after the user has revoked the app password, and the request can’t be allowed again', async () => {
    const { token, pollToken } = await start()
    await allow(token)
    const [created] = (await user.client.call(listAppPasswords, {})).body.appPasswords
    await user.client.call(revokeAppPassword, { id: created?.id as string })
    expect((await poll(pollToken)).status).toBe(404)
    expect((await allow(token)).status).toBe(404)
  })

  it('gets one app password when it is allowed in several windows at once', async () => {
    const { token, pollToken } = await start()
    const answers = await Promise.all([allow(token), allow(token), allow(token), deny(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
    const wasAllowed = answers.slice(0, 3).some(({ status }) => status === 200)
    expect(await passwordNames()).toHaveLength(wasAllowed ? 1 : 0)
    expect((await poll(pollToken)).status).toBe(wasAllowed ? 200 : 404)
  })

  it('gets the app password of one account when two users allow it at once', async () => {
    const { token, pollToken } = await start()
    const other = await app.createUser()
    const answers = await Promise.all([allow(token), other.client.call(allowLoginFlow, { token })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    const winner = answers[0].status === 200 ? user : other
    expect((await poll(pollToken)).body).toMatchObject({ loginName: winner.email })
  })

  it('gets the app password in exactly one of several polls at once', async () => {
    const { token, pollToken } = await start()
    await allow(token)
    const polls = await Promise.all(Array.from({ length: 8 }, () => poll(pollToken)))
    expect(polls.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(polls.filter(({ status }) => status === 404)).toHaveLength(7)
  })
})

describe('the stored answer', () => {
  it('contains neither a token nor the app password, and its secret is removed when it is fetched', async () => {
    const { token, pollToken } = await start()
    await allow(token)
    const stored = (await rows()).filter((row) => row.sealed_secret !== null && row.app_password_id !== null)
    expect(stored).toHaveLength(1)
    const { appPassword } = (await poll(pollToken)).body
    for (const secret of [token, pollToken, appPassword]) expect(JSON.stringify(stored)).not.toContain(secret)
    const left = (await rows()).filter(({ hash }) => hash === stored[0]?.hash)
    expect(left).toMatchObject([{ sealed_secret: null }])
  })

  it('expires after 20 minutes with an app password that was never fetched, and keeps one that was', async () => {
    const [fetched, forgotten] = [await start('fetched'), await start('forgotten')]
    for (const { token } of [fetched, forgotten]) await allow(token)
    expect((await poll(fetched.pollToken)).status).toBe(200)
    app.clock.advance(LOGIN_FLOW_TTL - 1)
    await sweepLoginFlows(app.services)
    expect(await passwordNames()).toHaveLength(2)
    app.clock.advance(1)
    expect((await poll(forgotten.pollToken)).status).toBe(404)
    await sweepLoginFlows(app.services)
    expect(await passwordNames()).toEqual([{ name: 'fetched', scope: 'write' }])
    expect(await rows()).toEqual([])
  })

  it('doesn’t exist until the user answers, however many clients start', async () => {
    const before = await rows()
    for (let started = 0; started < 50; started++) await start()
    expect(await rows()).toEqual(before)
  })
})

describe('allowing a client', () => {
  it('is possible for 20 minutes', async () => {
    const { token } = await start()
    app.clock.advance(LOGIN_FLOW_TTL - 1)
    expect((await get(token)).status).toBe(200)
    app.clock.advance(1)
    expect((await get(token)).body.error).toBe(
      'This request has expired or was already answered. Start again in the app.',
    )
    expect((await deny(token)).status).toBe(404)
  })

  it('needs a session, and a recent sign-in', async () => {
    const { token } = await start()
    for (const call of [getLoginFlow, allowLoginFlow, denyLoginFlow]) {
      expect((await app.visitor.call(call, { token })).status).toBe(401)
      const { client } = await addAppPassword(app, user)
      expect((await client.call(call, { token })).status).toBe(403)
    }
    app.clock.advance(15 * 60_000)
    expect((await get(token)).status).toBe(200)
    expect(await allow(token)).toMatchObject({ status: 403, body: { code: 'reauthentication_required' } })
  })

  it('rejects tokens that were changed, made up, or belong to another purpose', async () => {
    const { token, pollToken } = await start()
    const changed = `${token.slice(0, 20)}${token[20] === 'a' ? 'b' : 'a'}${token.slice(21)}`
    for (const made of [changed, token.slice(0, -4), pollToken, 'unknown', '%2e%2e', '\u0000', 'x'.repeat(1000)]) {
      expect((await get(made)).status, made).toBe(404)
    }
    expect((await get('x'.repeat(1001))).status).toBe(400)
    expect((await poll(token)).status).toBe(404)
  })

  it('stops at the maximum number of app passwords and leaves the client waiting', async () => {
    for (let number = 0; number < MAX_APP_PASSWORDS; number++) await addAppPassword(app, user)
    const { token, pollToken } = await start()
    expect((await allow(token)).status).toBe(409)
    expect((await poll(pollToken)).status).toBe(404)
    expect((await get(token)).status).toBe(200)
  })

  it('shows a hostile name as harmless text', async () => {
    const sent = '\u202eevil\u0007<script>alert(1)</script>'.repeat(30)
    const { token } = await start(Buffer.from(sent).toString('latin1'))
    const { app: name } = (await get(token)).body
    expect(name).toMatch(/^evil <script>alert\(1\)/)
    expect(name.length).toBeLessThanOrEqual(60)
    expect((await allow(token)).status).toBe(200)
    expect((await passwordNames())[0]?.name).toBe(name)
  })
})

describe('a client that shows the page itself (flow v1)', () => {
  it('gets the app password in an address of its own scheme', async () => {
    const plus = await app.createUser({ email: 'a+b&c@example.com' })
    const { status, token } = await openInClient()
    const before = await sealedSecrets()
    expect(status).toBe(303)
    const { redirect } = (await plus.client.call(allowLoginFlow, { token })).body
    const [, server, name, password] =
      /^nc:\/\/login\/server:(.+?)&user:(.+?)&password:(.+)$/.exec(redirect ?? '') ?? []
    expect([server, decodeURIComponent(name ?? '')]).toEqual([app.services.config.publicUrl, plus.email])
    expect((await new TestClient(app.app, password).call(listItems, {})).status).toBe(200)
    expect((await plus.client.call(allowLoginFlow, { token })).status).toBe(404)
    expect(await sealedSecrets()).toEqual(before)
  })

  it('is not started by a link', async () => {
    const { status, location } = await openInClient({})
    expect({ status, location }).toEqual({
      status: 303,
      location: `${app.services.config.publicUrl}/login/flow/unknown`,
    })
  })
})

describe('the limits', () => {
  it('refuse starts and polls beyond them', async () => {
    const limited = await createTestApp({ rateLimits: true })
    expect(await sendUntilLimited(120, () => start(DESKTOP, limited))).toEqual([200, 429])
    expect((await start(DESKTOP, limited, '203.0.113.10')).status).toBe(200)
    const pollLimited = () => limited.visitor.request({ method: 'POST', url: '/login/v2/poll?token=x' })
    expect(await sendUntilLimited(600, pollLimited)).toEqual([404, 429])
    await limited.close()
  })

  it('refuse a body that is larger than a form with a token', async () => {
    expect((await poll('x'.repeat(5000))).status).toBe(413)
  })
})
