import { forgotPassword, login } from '@alcove/contract/accounts'
import { getDownloadUrl } from '@alcove/contract/bytes'
import { createFolder, getStorage, listFiles, renameFolder } from '@alcove/contract/files'
import { getItemsDownloadUrl } from '@alcove/contract/item-calls'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readZip } from './testing/clients/zip.ts'
import { createTestApp, type TestApp } from './testing/engines/test-app.ts'
import { TEST_PASSWORD, type TestUser } from './testing/factories/users.ts'

let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
})

const post = (url: string, payload: string, headers: Record<string, string>) =>
  app.visitor.request({ method: 'POST', url, payload, headers })

describe('requests from another site in the browser of a signed-in user', () => {
  it('sets no cookies and reads the session from no cookie, query or Basic authorization', async () => {
    const signedIn = await app.visitor.raw(login, { email: user.email, password: TEST_PASSWORD })
    expect(signedIn.status).toBe(200)
    expect(signedIn.headers['set-cookie']).toBeUndefined()
    for (const [url, headers] of [
      ['/api/storage', { cookie: `token=${user.token}; session=${user.token}` }],
      [`/api/storage?token=${user.token}&authorization=Bearer%20${user.token}`, {}],
      ['/api/storage', { authorization: `Basic ${Buffer.from(`:${user.token}`).toString('base64')}` }],
    ] as const) {
      expect((await app.visitor.request({ method: 'GET', url, headers })).status).toBe(401)
    }
    expect((await user.client.call(getStorage, {})).headers['set-cookie']).toBeUndefined()
  })

  it('rejects bodies with the content types of HTML forms', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
      const headers = { 'content-type': type, origin: 'https://evil.example' }
      const response = await post('/api/forgot-password', JSON.stringify({ email: user.email }), headers)
      expect(response).toMatchObject({ status: 400, body: { code: 'malformed' } })
    }
    expect((await app.readMails()).filter((mail) => mail.includes(user.email))).toEqual([])
  })

  it('sends no CORS headers in responses to preflight and other requests', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' }
    for (const method of ['OPTIONS', 'GET'] as const) {
      const { headers: received } = await app.app.inject({ method, url: '/api/plans', headers })
      expect(Object.keys(received).filter((name) => name.startsWith('access-control-'))).toEqual([])
      expect(received['cross-origin-resource-policy']).toBe('same-origin')
    }
  })
})

describe('forged Host and X-Forwarded headers', () => {
  it('keeps a forged host out of mails and signed URLs', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' }
    await app.visitor.raw(forgotPassword, { email: user.email }, headers)
    const [mail] = (await app.readMails()).filter((text) => text.includes(user.email))
    expect(mail).toContain('http://localhost:5100/reset-password?token=')
    expect(mail).not.toContain('evil')
    const file = await user.client.upload('a', 'a')
    const { url } = (await user.client.raw<{ url: string }>(getDownloadUrl, { id: file.id }, headers)).body
    expect(url).toMatch(/^http:\/\/localhost:5100\/api\//)
  })
})

describe('caching of API responses', () => {
  // Errors too: a link may become valid a moment later.
  it('sends Cache-Control: no-store with every JSON response and every error', async () => {
    for (const { headers } of [
      await user.client.call(listFiles, {}),
      await app.visitor.request({ method: 'GET', url: '/api/public/AAAAAAAAAAAAAAAAAAAAAA' }),
      await app.visitor.request({ method: 'GET', url: '/api/public/AAAAAAAAAAAAAAAAAAAAAA/content' }),
      await app.visitor.request({ method: 'GET', url: '/plans', headers: { accept: 'application/json' } }),
      await user.client.request({ method: 'GET', url: '/api/fetch-file?filename=nothing' }),
    ]) {
      expect(headers['cache-control']).toBe('no-store')
    }
  })
})

describe('hostile paths', () => {
  it.each([
    '/api/../../../etc/passwd',
    '/..%2f..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%5c..%5csecret',
    '/api/docs/..%2f..%2f..%2fpackage.json',
    '//evil.example/%2e%2e',
    '/\\evil.example',
    '/api/user-files/..%2f..%2fsecret',
    '/api/download/%2e%2e%2fsecret',
    '/api/folder/__proto__',
    '/__proto__/constructor',
    `/${'a/'.repeat(4000)}`,
  ])('rejects %s without a redirect and without reading a file', async (url) => {
    for (const accept of ['text/html', 'application/json']) {
      const response = await app.app.inject({ url, headers: { accept, authorization: `Bearer ${user.token}` } })
      expect([400, 404, 414]).toContain(response.statusCode)
      expect(response.headers.location).toBeUndefined()
      expect(response.body).not.toMatch(/root:|"workspaces"/)
    }
  })
})

describe('hostile JSON bodies', () => {
  const deep = 400_000
  it.each([
    ['deeply nested arrays', '['.repeat(deep) + ']'.repeat(deep)],
    ['deeply nested objects', '{"a":'.repeat(deep / 4) + 1 + '}'.repeat(deep / 4)],
    ['a deeply nested field', `{"folderName":${'['.repeat(deep)}${']'.repeat(deep)}}`],
    ['tens of thousands of fields', `{${Array.from({ length: 60_000 }, (_, n) => `"f${n}":1`)},"folderName":[]}`],
    ['a duplicate field', '{"folderName":"a","folderName":{}}'],
    ['an object that sets the prototype of its constructor', '{"constructor":{"prototype":{"isAdmin":true}}}'],
  ])('rejects %s as malformed', async (_what, payload) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${user.token}` }
    expect(await post('/api/create-folder', payload, headers)).toMatchObject({
      status: 400,
      body: { code: 'malformed' },
    })
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })
})

describe('hostile names', () => {
  const allowed = [
    'a"; filename="b.exe',
    "a'; filename*=UTF-8''b.exe",
    '%0d%0aset-cookie: a=b',
    '\\..\\..\\a',
    'C:\\a',
    '\u202egnp.exe',
    '<img src=x onerror=alert(1)>',
    '...',
    '~',
    '-rf',
    '$(id)`id`',
    "a' or 1=1 --",
    '__proto__',
    'constructor',
  ]
  it.each(allowed)('encodes %s as a plain name in headers and ZIP entries', async (folderName) => {
    const { body: folder } = await user.client.call(createFolder, { folderName })
    await user.client.upload(folderName, 'x', { folderId: folder.id })
    const addresses = [
      (await user.client.call(getDownloadUrl, { id: folder.id })).body.url,
      (await user.client.call(getItemsDownloadUrl, { itemIds: [folder.id] })).body.url,
    ]
    for (const address of addresses) {
      const response = await app.visitor.request({ method: 'GET', url: address.slice('http://localhost:5100'.length) })
      const disposition = String(response.headers['content-disposition'])
      // One quoted ASCII name without quotes inside, and one in which special characters are encoded.
      const [, real = ''] =
        /^attachment; filename="[ !#-$&-[\]-~]+"; filename\*=UTF-8''([\w.!~%-]+)$/.exec(disposition) ?? []
      expect(decodeURIComponent(real)).toBe(`${folderName}.zip`)
      const safe = folderName.replaceAll('\\', '_')
      expect([...(await readZip(response.bytes)).keys()].sort()).toEqual([`${safe}/`, `${safe}/${safe}`])
    }
  })

  it.each(['.', '..', 'a/b', '../a', '/a', 'a\r\nset-cookie: a=b', 'a\u0000b', 'a\u0085b', '\ud800', '\u001b[2J'])(
    'rejects %j, which could be read as more than a name',
    async (name) => {
      const { body: folder } = await user.client.call(createFolder, { folderName: 'folder' })
      const expected = { status: 400, body: { code: 'malformed' } }
      expect(await user.client.raw(createFolder, { folderName: name })).toMatchObject(expected)
      expect(await user.client.raw(renameFolder, { id: folder.id, newName: name })).toMatchObject(expected)
    },
  )
})

describe('hostile email addresses', () => {
  it.each([
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com\nSubject: x',
    'a@example.com, b@example.com',
    'a@example.com;b@example.com',
    '"a b"@example.com',
    '<a@example.com>',
    'a@example.com>',
    'a@[127.0.0.1]',
    'a\u0000@example.com',
  ])('rejects %j, which could add recipients or headers to a mail', async (email) => {
    const before = (await app.readMails()).length
    const response = await post('/api/register', JSON.stringify({ email, password: TEST_PASSWORD }), {
      'content-type': 'application/json',
    })
    expect(response).toMatchObject({ status: 400, body: { error: 'Invalid email format' } })
    expect(await app.readMails()).toHaveLength(before)
  })
})
