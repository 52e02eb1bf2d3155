import { getPublicLink, listPublicLinks, updatePublicLink } from '@alcove/contract/sharing'
import { beforeEach, describe, expect, it } from 'vitest'
import { createDavClient, type DavClient } from '../../../../testing/clients/dav-client.ts'
import { app, makeFolder, setUpDrive, switchToNewUser, trash, user } from '../../../../testing/factories/drive.ts'
import { firstLink } from '../../../../testing/factories/first-link.ts'
import { addManyItems } from '../../../../testing/factories/many-items.ts'

setUpDrive()

const SHARES = '/apps/files_sharing/api/v1/shares'

let dav: DavClient
beforeEach(async () => {
  dav = await createDavClient(app.app, user)
})

interface Share {
  id: string
  [field: string]: unknown
}

/** Sends a request as the desktop client does: parameters in the query of a GET and in the form of others, and JSON back. */
async function ocs(
  method: string,
  path: string,
  params: Record<string, string> = {},
  { version = 'v2', by = dav } = {},
) {
  const isGet = method === 'GET'
  const query = new URLSearchParams({ ...(isGet && params), format: 'json' })
  const { status, text } = await by.send(method, `/ocs/${version}.php${path}?${query}`, {
    headers: { 'ocs-apirequest': 'true', 'content-type': 'application/x-www-form-urlencoded' },
    body: isGet ? '' : new URLSearchParams(params).toString(),
  })
  const { meta, data } = JSON.parse(text).ocs
  return { status, code: meta.statuscode, message: meta.message, data }
}

const list = async (params = {}): Promise<Share[]> => (await ocs('GET', SHARES, params)).data
const create = async (path: string, params = {}) => ocs('POST', SHARES, { path, shareType: '3', ...params })
const pathsOf = (shares: Share[]) => shares.map(({ path }) => path)
/** What visitors get. */
const openLink = async (url: unknown) =>
  (await app.visitor.request({ method: 'GET', url: `/api/public/${String(url).replace(/^.*\//, '')}` })).status

describe('a public link of a client', () => {
  it('is the link that the web shows, and is created once', async () => {
    const { id } = await user.client.upload('a b.txt', 'hello')
    const { status, code, data } = await create('/a b.txt')
    expect({ status, code }).toEqual({ status: 200, code: 200 })
    const inWeb = (await user.client.call(getPublicLink, { id })).body
    expect(data).toMatchObject({
      ...{ share_type: 3, permissions: 1, uid_owner: user.email, path: '/a b.txt', item_type: 'file' },
      ...{ url: inWeb.link, expiration: null, share_with: null, mimetype: 'text/plain', item_size: 5 },
    })
    expect(data.id).toMatch(/^\d{1,15}$/)
    expect(inWeb.enabled).toBe(true)
    expect(await openLink(data.url)).toBe(200)
    expect((await create('a b.txt')).data).toEqual(data)
    expect((await ocs('GET', `${SHARES}/${data.id}`)).data).toEqual(data)
    const [file] = await dav.propfind(
      `/remote.php/dav/files/${user.email}/a%20b.txt`,
      '0',
      '<D:propfind xmlns:D="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:s="http://open-collaboration-services.org/ns"><D:prop><oc:share-types/><s:share-permissions/></D:prop></D:propfind>',
    )
    expect(Object.values(file?.props ?? {}).map(({ value }) => value)).toEqual([
      '<{http://owncloud.org/ns}share-type>3</{http://owncloud.org/ns}share-type>',
      '17',
    ])
  })

  it('is disabled by deleting it, and the same one when it is created again', async () => {
    await user.client.upload('a.txt', 'x')
    const { data } = await create('/a.txt')
    expect(await ocs('DELETE', `${SHARES}/${data.id}`)).toMatchObject({ status: 200, code: 200, data: [] })
    expect(await openLink(data.url)).toBe(404)
    expect(await list()).toEqual([])
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await ocs(method, `${SHARES}/${data.id}`)).status).toBe(404)
    }
    expect((await create('/a.txt')).data).toMatchObject({ id: data.id, url: data.url })
  })

  it('has a password and an expiry, which can be changed and removed', async () => {
    await user.client.upload('a.txt', 'x')
    const created = (await create('/a.txt', { password: 'secret', expireDate: '2999-12-31' })).data
    expect(created).toMatchObject({ expiration: '2999-12-31 00:00:00', share_with: '***', password: '***' })
    expect(await openLink(created.url)).toBe(403)
    const put = async (params: Record<string, string>) => ocs('PUT', `${SHARES}/${created.id}`, params)
    expect((await put({ password: '' })).data).toMatchObject({ share_with: null, expiration: '2999-12-31 00:00:00' })
    expect(await openLink(created.url)).toBe(200)
    expect((await put({ expireDate: '' })).data).toMatchObject({ expiration: null })
    // The phone apps send a time as well.
    expect((await put({ expireDate: '2999-01-02 00:00:00' })).data).toMatchObject({ expiration: '2999-01-02 00:00:00' })
    for (const expireDate of ['2020-01-01', '2999-02-30', 'tomorrow']) {
      expect((await put({ expireDate })).status).toBe(400)
    }
  })

  it('works until the end of its last day, is no longer listed then, and works again when it is created again', async () => {
    await user.client.upload('a.txt', 'x')
    const now = app.clock.now()
    const today = new Date(now).toISOString().slice(0, 10)
    const { url } = (await create('/a.txt', { expireDate: today })).data
    expect(await openLink(url)).toBe(200)
    app.clock.advance(24 * 3_600_000 - (now % (24 * 3_600_000)))
    expect(await openLink(url)).toBe(404)
    expect(await list()).toEqual([])
    expect((await create('/a.txt')).data).toMatchObject({ url, expiration: null })
    expect(await openLink(url)).toBe(200)
  })

  it('keeps the password of a link that exists, and takes a new one', async () => {
    const { id } = await user.client.upload('a.txt', 'x')
    await user.client.call(updatePublicLink, { id, enabled: true, password: 'first' })
    const { data } = await create('/a.txt')
    expect(data.share_with).toBe('***')
    await user.client.call(updatePublicLink, { id, enabled: true, password: null })
    await create('/a.txt', { password: 'second' })
    expect(await openLink(data.url)).toBe(403)
  })
})

describe('the list of links', () => {
  it('is of everything, of one item or of what is directly in a folder', async () => {
    const folder = await makeFolder('Photos')
    const inside = await makeFolder('2024', folder.id)
    await user.client.upload('deep.txt', 'x', { folderId: inside.id })
    await user.client.upload('in.txt', 'x', { folderId: folder.id })
    await user.client.upload('top.txt', 'x')
    for (const path of ['/Photos/2024/deep.txt', '/Photos/in.txt', '/top.txt', '/Photos']) {
      await create(path)
      app.clock.advance(1)
    }
    expect(pathsOf(await list())).toEqual(['/Photos', '/top.txt', '/Photos/in.txt', '/Photos/2024/deep.txt'])
    expect(pathsOf(await list({ path: '/Photos', reshares: 'true' }))).toEqual(['/Photos'])
    expect(pathsOf(await list({ path: '/Photos/', subfiles: 'true' }))).toEqual(['/Photos/in.txt'])
    expect(pathsOf(await list({ path: '/', subfiles: 'true' }))).toEqual(['/Photos', '/top.txt'])
    expect(await list({ path: '/' })).toEqual([])
    expect(await list({ path: '/Photos/2024' })).toEqual([])
    expect(await list({ shared_with_me: 'true' })).toEqual([])
    expect((await ocs('GET', SHARES, { path: '/top.txt', subfiles: 'true' })).status).toBe(400)
    expect((await ocs('GET', SHARES, { path: '/none' })).status).toBe(404)
    await trash(folder.id, 'folder')
    expect(pathsOf(await list())).toEqual(['/top.txt'])
  })

  it('has the thousand links that were made last', async () => {
    const ids = await addManyItems(app.services, {
      ownerId: user.id,
      names: Array.from({ length: 1100 }, (_unused, n) => `${n}.txt`),
    })
    const { db } = app.services
    await db
      .insertInto('public_links')
      .values(ids.map((id) => firstLink({ id, owner_id: user.id })))
      .execute()
    await user.client.upload('last.txt', 'x')
    await create('/last.txt')
    const shares = await list()
    expect(shares).toHaveLength(1000)
    expect(shares[0]?.path).toBe('/last.txt')
  })

  it('is XML for clients that don’t ask for JSON, and has the codes of version 1', async () => {
    await user.client.upload('<a> & b.txt', 'x')
    await create('/<a> & b.txt')
    const { text, headers } = await dav.send('GET', `/ocs/v1.php${SHARES}`)
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(text).toContain('<statuscode>100</statuscode>')
    expect(text).toMatch(/<data><element><id>\d+<\/id><share_type>3<\/share_type>/)
    expect(text).toContain('<path>/&lt;a&gt; &amp; b.txt</path>')
    expect(await ocs('GET', SHARES, { path: '/none' }, { version: 'v1' })).toMatchObject({ status: 200, code: 404 })
    expect((await ocs('POST', SHARES, { path: '/<a> & b.txt', shareType: '3' }, { version: 'v1' })).code).toBe(100)
  })
})

describe('what links can’t do', () => {
  it.each([
    [{ shareType: '0', shareWith: 'bob' }, 403],
    [{ shareType: '4', shareWith: 'bob@example.com' }, 403],
    [{ shareType: '' }, 403],
    [{ publicUpload: 'true' }, 403],
    [{ permissions: '3' }, 403],
    [{ permissions: 'x' }, 403],
    [{ hideDownload: 'true' }, 400],
    [{ attributes: '[{"scope":"permissions","key":"download","value":false}]' }, 400],
    [{ note: 'for you' }, 400],
    [{ password: 'x'.repeat(2000) }, 400],
  ])('is refused with %j', async (params, expected) => {
    await user.client.upload('a.txt', 'x')
    const { status, message } = await create('/a.txt', params)
    expect({ status, message }).toEqual({ status: expected, message: expect.stringMatching(/^[A-Z][^{}]+\.$/) })
    expect(await list()).toEqual([])
  })

  it('accepts what clients always send', async () => {
    await user.client.upload('a.txt', 'x')
    const { status } = await create('/a.txt', {
      ...{ name: 'Public link', label: '', password: '', expireDate: '', note: '', publicUpload: 'false' },
      ...{ permissions: '17', hideDownload: 'false' },
    })
    expect(status).toBe(200)
    expect((await ocs('GET', '/apps/files_sharing/api/v1/sharees', { search: 'bob', itemType: 'file' })).data).toEqual(
      expect.objectContaining({ users: [], exact: expect.objectContaining({ users: [] }) }),
    )
  })

  it.each(['/', '', '/missing.txt', '/../a', '/a%00', '/\u0000', '/a\ud800', '//', `/${'x'.repeat(300)}`])(
    'has no link of %j',
    async (path) => {
      const { status } = await create(path)
      expect([400, 403, 404]).toContain(status)
      expect((await user.client.call(listPublicLinks, {})).body.links).toEqual([])
    },
  )
})

describe('an app password', () => {
  const calls = (id: string) =>
    [
      ['GET', SHARES, {}],
      ['GET', `${SHARES}/${id}`, {}],
      ['POST', SHARES, { path: '/a.txt', shareType: '3' }],
      ['PUT', `${SHARES}/${id}`, { password: 'x' }],
      ['DELETE', `${SHARES}/${id}`, {}],
    ] as const

  async function statusesFor(by: DavClient, id: string): Promise<number[]> {
    const statuses: number[] = []
    for (const [method, path, params] of calls(id)) statuses.push((await ocs(method, path, params, { by })).status)
    return statuses
  }

  it('lists links if it may read, changes them if it may write, and does nothing if it may only upload', async () => {
    await user.client.upload('a.txt', 'x')
    const { id } = (await create('/a.txt')).data
    const reader = await createDavClient(app.app, user, { scope: 'read' })
    expect(await statusesFor(reader, id)).toEqual([200, 200, 403, 403, 403])
    const uploader = await createDavClient(app.app, user, { scope: 'upload' })
    expect(await statusesFor(uploader, id)).toEqual([403, 403, 403, 403, 403])
    expect((await list())[0]).toMatchObject({ id, share_with: null })
    expect(await statusesFor(dav, id)).toEqual([200, 200, 200, 200, 200])
  })

  it('of one folder finds only what is in it, by paths that begin there', async () => {
    const folder = await makeFolder('Mine')
    await user.client.upload('in.txt', 'x', { folderId: folder.id })
    await user.client.upload('a.txt', 'x')
    const outside = (await create('/a.txt')).data
    const folderLink = (await create('/Mine')).data
    await create('/Mine/in.txt')
    const by = await createDavClient(app.app, user, { folderId: folder.id })
    expect(pathsOf((await ocs('GET', SHARES, {}, { by })).data)).toEqual(['/in.txt'])
    expect(await statusesFor(by, outside.id)).toEqual([200, 404, 404, 404, 404])
    expect((await statusesFor(by, folderLink.id)).slice(3)).toEqual([404, 404])
    expect((await ocs('POST', SHARES, { path: '/', shareType: '3' }, { by })).status).toBe(403)
    expect((await ocs('POST', SHARES, { path: '/in.txt', shareType: '3' }, { by })).data.path).toBe('/in.txt')
    expect(await openLink(outside.url)).toBe(200)
  })

  it('of another user finds nothing', async () => {
    await user.client.upload('a.txt', 'x')
    const { id, url } = (await create('/a.txt')).data
    await switchToNewUser({})
    const stranger = await createDavClient(app.app, user)
    expect(await statusesFor(stranger, id)).toEqual([200, 404, 404, 404, 404])
    expect((await ocs('GET', SHARES, {}, { by: stranger })).data).toEqual([])
    expect(await openLink(url)).toBe(200)
  })

  it('shares nothing from a page of another site, and nothing of the vault', async () => {
    await user.client.upload('a.txt', 'x')
    const body = 'path=/a.txt&shareType=3'
    expect((await dav.send('POST', `/ocs/v2.php${SHARES}`, { body })).status).toBe(403)
    const vaultFile = await user.client.upload('secret.txt', 'x', { isEncrypted: true })
    await user.client.call(updatePublicLink, { id: vaultFile.id, enabled: true })
    expect(await list()).toEqual([])
  })
})
