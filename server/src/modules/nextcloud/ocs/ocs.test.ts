import { updateProfile } from '@alcove/contract/profile'
import { describe, expect, it } from 'vitest'
import { TestClient, type TestRequest } from '../../../testing/clients/client.ts'
import { createTestApp } from '../../../testing/engines/test-app.ts'
import { addAppPassword } from '../../../testing/factories/app-passwords.ts'
import { app, setUpDrive, user } from '../../../testing/factories/drive.ts'

setUpDrive()

const basic = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})

interface OcsBody {
  ocs: { meta: { status: string; statuscode: number; message: string }; data: Record<string, unknown> }
}

/** Sends a request as a client does, and returns its parts. */
async function send(url: string, headers: Record<string, string> = {}, method: TestRequest['method'] = 'GET') {
  const { status, body, ...response } = await app.visitor.request<OcsBody>({ method, url, headers })
  const text = response.bytes.toString()
  return { status, meta: body?.ocs?.meta, data: body?.ocs?.data as never, text, headers: response.headers }
}

const json = (path: string, headers?: Record<string, string>, method?: TestRequest['method']) =>
  send(`/ocs/v2.php${path}?format=json`, headers, method)

describe('/status.php', () => {
  it('says that the server is ready, without a session', async () => {
    const { status, text } = await send('/status.php')
    expect(status).toBe(200)
    const { version, ...others } = JSON.parse(text)
    expect(others).toEqual({
      ...{ installed: true, maintenance: false, needsDbUpgrade: false, versionstring: '33.0.0' },
      ...{ edition: '', productname: 'Alcove', extendedSupport: false },
    })
    // Android compares four parts.
    expect(version).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
    expect((await app.app.inject({ method: 'HEAD', url: '/status.php' })).statusCode).toBe(200)
  })
})

describe('/index.php', () => {
  it('has an empty response by which apps see that they are online', async () => {
    expect(await send('/index.php/204')).toMatchObject({ status: 204, text: '' })
  })

  it('is never a page of the web', async () => {
    const { status, text } = await send('/index.php/apps/files', { accept: 'text/html' })
    expect(status).toBe(404)
    expect(JSON.parse(text)).toMatchObject({ code: 'not_found' })
    expect((await send('/index.php/core/wipe/check', {}, 'POST')).status).toBe(404)
  })
})

describe('the capabilities', () => {
  it('are public, in XML or JSON, with the status codes of each version', async () => {
    const inXml = await send('/ocs/v1.php/cloud/capabilities')
    expect(inXml.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(inXml.text).toContain('<statuscode>100</statuscode><message>OK</message>')
    expect(inXml.text).toContain('<supportedTypes><element>SHA1</element><element>MD5</element>')
    const second = await json('/cloud/capabilities')
    expect(second).toMatchObject({ status: 200, meta: { status: 'ok', statuscode: 200, message: 'OK' } })
    // iOS requests JSON by this header.
    const first = await send('/ocs/v1.php/cloud/capabilities', { accept: 'application/json' })
    expect(first).toMatchObject({ meta: { statuscode: 100 }, data: second.data })
    expect((await send('/ocs/v1.php/cloud/capabilities?format=xml', { accept: 'application/json' })).text).toMatch(
      /^<\?xml/,
    )
  })

  it('announce nothing that doesn’t exist', async () => {
    const { data } = await json('/cloud/capabilities')
    expect(data).toMatchObject({
      version: { major: 33, string: '33.0.0' },
      capabilities: {
        core: { status: { productname: 'Alcove' } },
        files: { bigfilechunking: true, undelete: true, versioning: true },
        checksums: { preferredUploadType: 'SHA1' },
        files_sharing: { api_enabled: true, public: { enabled: true, upload: false }, user: { send_mail: false } },
        theming: { name: 'Alcove', url: app.services.config.publicUrl },
      },
    })
    expect(Object.keys((data as { capabilities: object }).capabilities).sort()).toEqual(
      ['checksums', 'core', 'dav', 'files', 'files_sharing', 'theming'].sort(),
    )
  })

  it.each([
    ['Mozilla/5.0 (Linux) mirall/3.7.3git (nextcloudcmd, debian-6.1 ClientArchitecture: x86_64)', false],
    ['Mozilla/5.0 (Linux) mirall/3.17.3git (nextcloudcmd, debian-6.12 ClientArchitecture: x86_64)', true],
    ['Mozilla/5.0 (Windows) mirall/3.16.7 (build 20250923) (Nextcloud, windows-10.0)', false],
    ['Mozilla/5.0 (Windows) mirall/3.17.0 (build 20250624) (Nextcloud, windows-10.0)', true],
    ['Mozilla/5.0 (Macintosh) mirall/4.0.4 (build 28012) (Nextcloud, osx-25.1.0)', true],
    ['Mozilla/5.0 (Linux) mirall/5.3.1.14018 (ownCloud, ubuntu-24.04)', false],
    ['Mozilla/5.0 (Android) Nextcloud-android/3.31.0', false],
  ])('announce bulk uploads to desktop clients that can send them: %s', async (userAgent, isAnnounced) => {
    const { data } = await json('/cloud/capabilities', { 'user-agent': userAgent })
    const { dav } = (data as { capabilities: { dav: object } }).capabilities
    expect(dav).toEqual(isAnnounced ? { chunking: '1.0', bulkupload: '1.0' } : { chunking: '1.0' })
  })

  it('tell a client whether its app password works', async () => {
    const { secret } = await addAppPassword(app, user, { scope: 'read' })
    expect((await json('/cloud/capabilities', basic(user.email, secret))).status).toBe(200)
    const refused = await json('/cloud/capabilities', basic(user.email, 'wrong'))
    expect(refused).toMatchObject({ status: 401, meta: { status: 'failure', statuscode: 401 } })
    expect(refused.headers['www-authenticate']).toBe('Basic realm="Alcove", charset="UTF-8"')
    const first = await send('/ocs/v1.php/cloud/capabilities?format=json', basic(user.email, 'wrong'))
    expect(first).toMatchObject({ status: 401, meta: { statuscode: 997 } })
  })
})

describe('/cloud/user', () => {
  it('describes the account and its storage to its own app passwords', async () => {
    const { secret } = await addAppPassword(app, user, { scope: 'read' })
    await user.client.upload('a.txt', 'x'.repeat(1000))
    const allocated = 2000
    await app.services.db.updateTable('users').set({ allocated_bytes: allocated }).where('id', '=', user.id).execute()
    const signedIn = basic(user.email, secret)
    const { status, data } = await json('/cloud/user', signedIn)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      ...{ id: user.email, email: user.email, 'display-name': user.email, enabled: true },
      quota: { free: 1000, used: 1000, total: allocated, relative: 50, quota: allocated },
    })
    expect(JSON.stringify(data)).not.toContain(user.id)
    expect((await json(`/cloud/users/${encodeURIComponent(user.email)}`, signedIn)).data).toEqual(data)
  })

  it('escapes a display name in XML', async () => {
    const { secret } = await addAppPassword(app, user)
    await user.client.call(updateProfile, { displayName: '<b> & "Ann"' })
    const { text } = await send('/ocs/v2.php/cloud/user', basic(user.email, secret))
    expect(text).toContain('<display-name>&lt;b&gt; &amp; &quot;Ann&quot;</display-name>')
  })

  it('doesn’t tell whether another account exists', async () => {
    const other = await app.createUser()
    const { secret } = await addAppPassword(app, user)
    const of = async (name: string) => {
      const { status, text } = await json(`/cloud/users/${name}`, basic(user.email, secret))
      return { status, text }
    }
    expect(await of(other.email)).toEqual(await of('nobody@example.com'))
    expect((await of(other.email)).status).toBe(404)
  })

  it('refuses requests without an app password, sessions, the account’s password and upload-only app passwords', async () => {
    expect((await json('/cloud/user')).status).toBe(401)
    expect((await json('/cloud/user', { authorization: `Bearer ${user.token}` })).status).toBe(401)
    expect((await json('/cloud/user', basic(user.email, 'Correct-horse-7'))).status).toBe(401)
    const { secret } = await addAppPassword(app, user, { scope: 'upload' })
    expect(await json('/cloud/user', basic(user.email, secret))).toMatchObject({
      ...{ status: 403, meta: { statuscode: 403, message: 'This app password may only upload.' } },
    })
  })
})

describe('signing out in a client', () => {
  const asProgram = { 'ocs-apirequest': 'true' }

  it.each(['read', 'write', 'upload'] as const)('revokes the app password with the scope %s', async (scope) => {
    const { secret } = await addAppPassword(app, user, { scope })
    const kept = await addAppPassword(app, user, { scope: 'read' })
    const headers = { ...basic(user.email, secret), ...asProgram }
    expect(await json('/core/apppassword', headers, 'DELETE')).toMatchObject({ status: 200, meta: { status: 'ok' } })
    expect((await json('/core/apppassword', headers, 'DELETE')).status).toBe(401)
    expect((await json('/cloud/user', basic(user.email, kept.secret))).status).toBe(200)
  })

  it('refuses a request that the page of another site could send with a saved app password', async () => {
    const { secret } = await addAppPassword(app, user)
    expect((await json('/core/apppassword', basic(user.email, secret), 'DELETE')).status).toBe(403)
    expect((await json('/cloud/user', basic(user.email, secret))).status).toBe(200)
  })

  it('gives no app password for an app password', async () => {
    const { secret } = await addAppPassword(app, user)
    expect((await json('/core/getapppassword', { ...basic(user.email, secret), ...asProgram })).status).toBe(403)
    expect((await json('/core/getapppassword', asProgram)).status).toBe(401)
  })
})

describe('calls that don’t exist', () => {
  it.each([
    ['GET', '/apps/terms_of_service/terms'],
    ['GET', '/core/whatsnew'],
    ['POST', '/apps/dav/api/v1/direct'],
    ['PUT', '/apps/user_status/api/v1/heartbeat'],
    ['DELETE', '/apps/notifications/api/v2/push'],
  ] as const)('answers %s %s with 404 of OCS', async (method, path) => {
    expect(await json(path, {}, method)).toMatchObject({ status: 404, meta: { statuscode: 404 }, data: [] })
    const first = await send(`/ocs/v1.php${path}?format=json`, {}, method)
    expect(first).toMatchObject({ status: 200, meta: { status: 'failure', statuscode: 998 } })
  })

  it('count towards the general limit, which answers in the format of OCS', async () => {
    const limited = await createTestApp({ rateLimits: true })
    const visitor = new TestClient(limited.app)
    const get = () => visitor.request<OcsBody>({ method: 'GET', url: '/ocs/v2.php/nothing?format=json' })
    let response = await get()
    for (let sent = 1; sent <= 6000 && response.status === 404; sent++) response = await get()
    expect(response).toMatchObject({ status: 429, body: { ocs: { meta: { statuscode: 429 } } } })
    await limited.close()
  })
})
