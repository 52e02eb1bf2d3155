import { listAppPasswords, revokeAppPassword } from '@alcove/contract/app-passwords'
import { trashItems } from '@alcove/contract/item-calls'
import { beforeEach, describe, expect, it } from 'vitest'
import { createDavClient, type DavClient } from '../../testing/clients/dav-client.ts'
import { app, listIn, setUpDrive, user } from '../../testing/factories/drive.ts'

setUpDrive()
let dav: DavClient
beforeEach(async () => {
  dav = await createDavClient(app.app, user)
})

const holding = (token: string) => ({ if: `(<${token}>)` })

describe('LOCK', () => {
  it('lets only the holder change a file, and describes the lock', async () => {
    await dav.put('a.txt', 'x')
    const { status, token, text } = await dav.lock('a.txt', { headers: { timeout: 'Infinite, Second-100' } })
    expect(status).toBe(200)
    expect(text).toContain('<D:lockroot><D:href>/dav/a.txt</D:href></D:lockroot>')
    expect(text).toContain('mailto:me@example.com')
    for (const [method, headers] of [
      ['PUT', {}],
      ['DELETE', {}],
      ['MOVE', { destination: '/dav/b.txt' }],
      ['PROPPATCH', {}],
    ] as const) {
      const body =
        method === 'PROPPATCH'
          ? '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x xmlns="urn:x"/></D:prop></D:set></D:propertyupdate>'
          : ''
      const refused = await dav.send(method, 'a.txt', { headers, body })
      expect([method, refused.status]).toEqual([method, 423])
      expect(refused.text).toContain('<D:lock-token-submitted><D:href>')
    }
    expect((await dav.put('a.txt', 'y', holding(token))).status).toBe(204)
    const [file] = await dav.propfind('a.txt', '0')
    expect(file?.props.lockdiscovery?.value).toContain(token)
    expect((await dav.lock('a.txt')).status).toBe(423)
    expect((await dav.send('UNLOCK', 'a.txt', { headers: { 'lock-token': `<${token}>` } })).status).toBe(204)
    expect((await dav.put('a.txt', 'z')).status).toBe(204)
  })

  it('is respected by the web', async () => {
    await dav.put('a.txt', 'x')
    await dav.lock('a.txt')
    const [file] = await listIn()
    expect((await user.client.call(trashItems, { itemIds: [file?.id as string] })).status).toBe(423)
  })

  it('creates an empty file at a free name', async () => {
    const { status, token } = await dav.lock('new.txt')
    expect(status).toBe(201)
    expect((await dav.send('GET', 'new.txt')).text).toBe('')
    expect((await dav.put('new.txt', 'x')).status).toBe(423)
    expect((await dav.put('new.txt', 'x', holding(token))).status).toBe(204)
    expect((await dav.lock('missing/new.txt')).status).toBe(409)
  })

  it('of a folder with depth infinity covers everything below it, and names the folder as its root', async () => {
    await dav.send('MKCOL', 'f')
    await dav.put('f/a.txt', 'x')
    const { token } = await dav.lock('f')
    for (const path of ['f/a.txt', 'f/new.txt']) {
      expect((await dav.put(path, 'y')).status).toBe(423)
      expect((await dav.put(path, 'y', holding(token))).status).toBeLessThan(300)
    }
    for (const { props } of await dav.propfind('f', '1')) {
      expect(props.lockdiscovery?.value).toContain('<lockroot><href>/dav/f/</href></lockroot>')
    }
    expect((await dav.lock('f', { headers: { depth: '1' } })).status).toBe(400)
  })

  it('can be shared, and excludes exclusive ones', async () => {
    await dav.put('a.txt', 'x')
    const [one, two] = [await dav.lock('a.txt', { scope: 'shared' }), await dav.lock('a.txt', { scope: 'shared' })]
    expect([one.status, two.status]).toEqual([200, 200])
    const refused = await dav.lock('a.txt')
    expect(refused.status).toBe(423)
    expect(refused.text).toContain('<D:no-conflicting-lock><D:href>')
    expect((await dav.put('a.txt', 'y', holding(two.token))).status).toBe(204)
  })

  it('is refreshed by its token, and ends when its time is over', async () => {
    await dav.put('a.txt', 'x')
    const { token } = await dav.lock('a.txt', { headers: { timeout: 'Second-60' } })
    app.clock.advance(50_000)
    const refreshed = await dav.send('LOCK', 'a.txt', { headers: { ...holding(token), timeout: 'Second-60' } })
    expect(refreshed.status).toBe(200)
    expect(refreshed.text).toContain('<D:timeout>Second-60</D:timeout>')
    app.clock.advance(50_000)
    expect((await dav.put('a.txt', 'y')).status).toBe(423)
    app.clock.advance(11_000)
    expect((await dav.put('a.txt', 'y')).status).toBe(204)
    expect((await dav.send('LOCK', 'a.txt', { headers: holding(token) })).status).toBe(412)
    expect((await dav.send('LOCK', 'a.txt')).status).toBe(400)
    expect((await dav.send('UNLOCK', 'a.txt', { headers: { 'lock-token': `<${token}>` } })).status).toBe(409)
  })

  it('refuses a body that does not describe a write lock', async () => {
    await dav.put('a.txt', 'x')
    const info = (content: string) => `<D:lockinfo xmlns:D="DAV:">${content}</D:lockinfo>`
    const cases: [string, number][] = [
      ['<D:other xmlns:D="DAV:"/>', 400],
      [info(''), 422],
      [info('<D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:read/></D:locktype>'), 422],
    ]
    for (const [body, status] of cases) expect((await dav.send('LOCK', 'a.txt', { body })).status).toBe(status)
    expect((await dav.send('UNLOCK', 'a.txt')).status).toBe(400)
  })
})

describe('an If header', () => {
  it('refuses a change unless one of its lists is met', async () => {
    const etag = (await dav.put('a.txt', 'x')).headers.etag as string
    await dav.put('b.txt', 'x')
    const { token } = await dav.lock('a.txt')
    const cases: [string, number][] = [
      [`(<${token}>)`, 204],
      [`(<${token}> ["wrong"])`, 412],
      [`(<urn:uuid:wrong>) (<${token}>)`, 204],
      [`(Not <DAV:no-lock> <${token}>)`, 204],
      [`(Not <DAV:no-lock>)`, 423],
      [`(<DAV:no-lock>)`, 412],
      [`</dav/a.txt> (<${token}>)`, 204],
      [`<http://localhost:80/dav/a.txt> (<${token}>)`, 204],
      [`<http://other.example/dav/a.txt> (<${token}>)`, 412],
      [`</dav/b.txt> (<${token}>)`, 412],
      ['(', 400],
      ['()', 400],
      ['(<a> <b)', 400],
      ['nonsense', 400],
      [`</dav/a.txt>`, 400],
      [`(<${token}>) </dav/a.txt> (<${token}>)`, 400],
    ]
    for (const [header, status] of cases) {
      expect([header, (await dav.put('a.txt', 'x', { if: header })).status]).toEqual([header, status])
    }
    expect((await dav.put('b.txt', 'x', { if: `([${etag}])` })).status).toBe(412)
  })

  it('applies to a copy or move, and submits tokens for the destination', async () => {
    await dav.put('a.txt', 'a')
    await dav.put('b.txt', 'b')
    const { token } = await dav.lock('b.txt')
    const destination = '/dav/b.txt'
    expect((await dav.send('COPY', 'a.txt', { headers: { destination } })).status).toBe(423)
    const headers = { destination, if: `</dav/b.txt> (<${token}>)` }
    expect((await dav.send('COPY', 'a.txt', { headers })).status).toBe(204)
    expect((await dav.send('GET', 'b.txt')).text).toBe('a')
  })
})

it('releases the locks of an app password that is revoked', async () => {
  await dav.put('a.txt', 'x')
  expect((await dav.lock('a.txt')).status).toBe(200)
  app.clock.advance(1)
  const other = await createDavClient(app.app, user)
  expect((await other.put('a.txt', 'y')).status).toBe(423)
  // The newest comes first.
  const { appPasswords } = (await user.client.call(listAppPasswords, {})).body
  await user.client.call(revokeAppPassword, { id: appPasswords.at(-1)?.id as string })
  expect((await other.put('a.txt', 'y')).status).toBe(204)
})
