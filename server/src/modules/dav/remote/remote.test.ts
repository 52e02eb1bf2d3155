import { addFavorite } from '@alcove/contract/favorites'
import { renameFile } from '@alcove/contract/files'
import { moveItems, trashItems } from '@alcove/contract/item-calls'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  createDavClient,
  type DavClient,
  type DavResource,
  readMultistatus,
} from '../../../testing/clients/dav-client.ts'
import { countStatements } from '../../../testing/engines/item-scans.ts'
import { app, download, makeFolder, namesIn, setUpDrive, user } from '../../../testing/factories/drive.ts'
import { addManyItems } from '../../../testing/factories/many-items.ts'

setUpDrive()
let dav: DavClient
/** The address of the drive, with the user's address as Nextcloud's clients write it. */
let files: string
beforeEach(async () => {
  dav = await createDavClient(app.app, user)
  files = `/remote.php/dav/files/${user.email}`
})

const OC = '{http://owncloud.org/ns}'
const NC = '{http://nextcloud.org/ns}'

/** Requests what a sync client does. */
const BODY = `<?xml version="1.0"?><d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"><d:prop>
  <d:resourcetype/><d:getlastmodified/><d:getcontentlength/><d:getetag/><oc:size/><oc:id/><oc:fileid/><oc:permissions/>
  <oc:checksums/><oc:favorite/><oc:owner-id/><oc:owner-display-name/><oc:share-types/><nc:has-preview/><nc:creation_time/>
  <nc:mount-type/><nc:is-encrypted/></d:prop></d:propfind>`

const list = (path = '', client = dav) => client.propfind(files + path, '1', BODY)
const look = async (path = '', client = dav) => (await client.propfind(files + path, '0', BODY))[0] as DavResource
const read = (resource: DavResource | undefined, name: string) => resource?.props[name]?.value
const etagOf = async (path = '') => read(await look(path), 'getetag')

describe('the addresses for clients of Nextcloud and ownCloud', () => {
  it('serve the drive, and name what they list as the client named the folder', async () => {
    await dav.put('a b.txt', 'x')
    const encoded = encodeURIComponent(user.email)
    for (const root of [
      '/remote.php/webdav',
      files,
      `/remote.php/dav/files/${encoded}`,
      `/remote.php/dav/files/${user.email.toUpperCase()}`,
    ]) {
      const resources = await dav.propfind(`${root}/`, '1', BODY)
      expect(resources.map(({ href }) => href)).toEqual([`${root}/`, `${root}/a%20b.txt`])
      expect((await dav.send('GET', `${root}/a%20b.txt`)).text).toBe('x')
    }
  })

  it('find nothing for any other user', async () => {
    const other = await app.createUser()
    const names = [other.email, 'nobody', user.id, `${user.email}%00`, '..', '.', '%2e%2e', '%2F', '%', '%ff', '%c0%ae']
    for (const name of [...names, 'constructor', '__proto__', `${user.email}%2F`, 'x'.repeat(5000), '%0a', ' ']) {
      for (const method of ['PROPFIND', 'GET', 'PUT', 'DELETE', 'MKCOL']) {
        const { status } = await dav.send(method, `/remote.php/dav/files/${name}/a`, { headers: { depth: '0' } })
        expect([400, 404, 414]).toContain(status)
      }
    }
    expect((await dav.send('PROPFIND', '/remote.php/dav/calendars/x', { headers: { depth: '0' } })).status).toBe(404)
    expect((await dav.send('SEARCH', files)).status).toBe(405)
  })

  it('ask for an app password, and keep to its scope and folder', async () => {
    const folder = await makeFolder('shared')
    await user.client.upload('inside.txt', 'x', { folderId: folder.id })
    await user.client.upload('outside.txt', 'x')
    const anonymous = { headers: { authorization: '', depth: '0' } }
    expect((await dav.send('PROPFIND', files, anonymous)).status).toBe(401)
    const bound = await createDavClient(app.app, user, { folderId: folder.id, scope: 'read' })
    expect((await list('', bound)).map(({ href }) => href)).toEqual([`${files}/`, `${files}/inside.txt`])
    expect(read(await look('/inside.txt', bound), `${OC}permissions`)).toBe('G')
    expect((await bound.put(`${files}/new.txt`, 'x')).status).toBe(403)
    const uploader = await createDavClient(app.app, user, { scope: 'upload' })
    expect((await uploader.send('PROPFIND', files, { headers: { depth: '0' } })).status).toBe(403)
    expect((await uploader.put(`${files}/new.txt`, 'x')).status).toBe(201)
  })

  it('can each be the destination of a request to another', async () => {
    await dav.put('a.txt', 'x')
    const encoded = `http://localhost/remote.php/dav/files/${encodeURIComponent(user.email)}/b.txt`
    const headers = { destination: encoded, host: 'localhost' }
    expect((await dav.send('MOVE', '/remote.php/webdav/a.txt', { headers })).status).toBe(201)
    const back = { destination: '/remote.php/webdav/c.txt', if: `<${files}/b.txt> (["wrong"])` }
    expect((await dav.send('MOVE', `${files}/b.txt`, { headers: back })).status).toBe(412)
    const etag = await etagOf('/b.txt')
    const right = { ...back, if: `<${encoded}> ([${etag}])`, host: 'localhost' }
    expect((await dav.send('MOVE', `${files}/b.txt`, { headers: right })).status).toBe(201)
    const elsewhere = { destination: `/remote.php/dav/files/other@example.com/c.txt` }
    expect((await dav.send('COPY', `${files}/c.txt`, { headers: elsewhere })).status).toBe(403)
    expect(await namesIn()).toEqual(['c.txt'])
  })
})

describe('the properties for clients of Nextcloud and ownCloud', () => {
  it('describe files and folders', async () => {
    await dav.send('MKCOL', `${files}/f`)
    await dav.put(`${files}/f/a.jpg`, 'abc')
    const [root, folder] = await list()
    const file = await look('/f/a.jpg')
    expect(read(folder, `${OC}size`)).toBe('3')
    expect(read(folder, 'getcontentlength')).toBe('3')
    expect(read(root, `${OC}size`)).toBe('3')
    const own = { [`${OC}owner-id`]: user.email, [`${OC}owner-display-name`]: user.email, [`${OC}favorite`]: '0' }
    const same = { ...own, [`${OC}share-types`]: '', [`${NC}mount-type`]: '', [`${NC}is-encrypted`]: '0' }
    for (const [name, value] of Object.entries({
      ...same,
      getcontentlength: '3',
      [`${OC}size`]: '3',
      [`${OC}permissions`]: 'RGDNVW',
      [`${OC}checksums`]:
        '<{http://owncloud.org/ns}checksum>SHA1:a9993e364706816aba3e25717850c26c9cd0d89d MD5:900150983cd24fb0d6963f7d28e17f72 SHA256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad</{http://owncloud.org/ns}checksum>',
      [`${NC}has-preview`]: 'true',
      [`${NC}creation_time`]: String(Date.parse('2026-01-15T12:00:00Z') / 1000),
    })) {
      expect([name, file.props[name]]).toEqual([name, { status: 200, value }])
    }
    expect(read(folder, `${OC}permissions`)).toBe('RGDNVCK')
    expect(read(folder, `${NC}has-preview`)).toBe('false')
  })

  it('give an item a number that it keeps when it is renamed, moved or changed', async () => {
    const folder = await makeFolder('f')
    const sent = await dav.put(`${files}/a.txt`, 'x')
    const numberOf = async (path: string) => Number(read(await look(path), `${OC}fileid`))
    const number = await numberOf('/a.txt')
    expect(number).toBeGreaterThan(0)
    const id = `${String(number).padStart(8, '0')}ocalcove`
    expect(sent.headers['oc-fileid']).toBe(id)
    expect(read(await look('/a.txt'), `${OC}id`)).toBe(id)
    const moved = await dav.send('MOVE', `${files}/a.txt`, { headers: { destination: `${files}/f/b.txt` } })
    expect(moved.headers).toMatchObject({ 'oc-fileid': id, etag: sent.headers.etag, 'oc-etag': sent.headers.etag })
    await dav.put(`${files}/f/b.txt`, 'changed')
    await user.client.upload('other', 'x')
    await user.client.call(renameFile, { oldFilename: 'other', newName: 'renamed' })
    expect(await numberOf('/f/b.txt')).toBe(number)
    const all = [...(await list()), ...(await list('/f'))].map((one) => read(one, `${OC}fileid`))
    expect(new Set(all).size).toBe(4)
    expect(all).not.toContain('0')
    expect((await dav.send('MKCOL', `${files}/g`)).headers['oc-fileid']).toMatch(/^\d{8,}ocalcove$/)
    expect(folder.id).not.toContain(String(number))
  })

  it('give a folder a tag and a size that change with anything below it, and are the same in every list', async () => {
    await dav.send('MKCOL', `${files}/a`)
    await dav.send('MKCOL', `${files}/a/b`)
    await dav.send('MKCOL', `${files}/beside`)
    const file = await user.client.upload('deep.txt', 'x', { folderId: await idOf('a', 'b') })
    const beside = await idOf('beside')
    const tags = async () => [await etagOf(), await etagOf('/a'), await etagOf('/a/b')]
    const aside = await etagOf('/beside')
    let before = await tags()
    expect(new Set([...before, aside]).size).toBe(4)
    for (const change of [
      () => dav.put('a/b/deep.txt', 'changed'),
      () => dav.put(`${files}/a/b/new.txt`, 'new'),
      async () =>
        user.client.call(renameFile, {
          oldFilename: 'deep.txt',
          newName: 'renamed.txt',
          folderId: await idOf('a', 'b'),
        }),
      () => user.client.call(trashItems, { itemIds: [file.id] }),
    ]) {
      await change()
      const after = await tags()
      for (const [index, tag] of after.entries()) expect(tag).not.toBe(before[index])
      const [root, listed] = await list()
      expect([read(root, 'getetag'), read(listed, 'getetag')]).toEqual(after.slice(0, 2))
      before = after
    }
    expect(await etagOf('/beside')).toBe(aside)
    expect(read(await look('/a'), `${OC}size`)).toBe('3')
    await user.client.call(moveItems, { itemIds: [await idOf('a', 'b')], targetFolderId: beside })
    expect(read(await look('/a'), `${OC}size`)).toBe('0')
    expect(read(await look('/beside'), `${OC}size`)).toBe('3')
    const [plain] = await dav.propfind('beside', '0')
    expect(read(plain, 'getetag')).toBe(await etagOf('/beside'))
    const condition = { 'if-match': '"other"' }
    expect((await dav.send('DELETE', `${files}/beside`, { headers: condition })).status).toBe(412)
    const met = { 'if-match': (await etagOf('/beside')) as string }
    expect((await dav.send('DELETE', `${files}/beside`, { headers: met })).status).toBe(204)
  })

  it('give folders no tag at /dav/ before a client follows changes', async () => {
    const [root] = await dav.propfind('', '0')
    expect(root?.props).not.toHaveProperty('getetag')
  })

  it('mark favorites, and protect what the server computes', async () => {
    await dav.put('a.txt', 'x')
    const patch = (xml: string) =>
      dav.send('PROPPATCH', `${files}/a.txt`, {
        body: `<d:propertyupdate xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns">${xml}</d:propertyupdate>`,
      })
    const favorite = async () => read(await look('/a.txt'), `${OC}favorite`)
    await patch('<d:set><d:prop><oc:favorite>1</oc:favorite></d:prop></d:set>')
    expect(await favorite()).toBe('1')
    await patch('<d:remove><d:prop><oc:favorite/></d:prop></d:remove>')
    expect(await favorite()).toBe('0')
    const [item] = await app.services.db.selectFrom('items').select('id').where('name', '=', 'a.txt').execute()
    await user.client.call(addFavorite, { itemType: 'file', itemId: item?.id as string })
    expect(await favorite()).toBe('1')
    const folder = await makeFolder('ü f')
    await user.client.upload('b.txt', 'xy', { folderId: folder.id })
    for (const path of ['%C3%BC%20f', '%C3%BC%20f/b.txt']) {
      await dav.send('PROPPATCH', `${files}/${path}`, {
        body: `<d:propertyupdate xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:set><d:prop><oc:favorite>1</oc:favorite></d:prop></d:set></d:propertyupdate>`,
      })
    }
    const filter = (rules: string) =>
      dav.send('REPORT', files, {
        body: `<oc:filter-files xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><d:getetag/><oc:size/></d:prop>${rules}</oc:filter-files>`,
      })
    const listed = readMultistatus(
      (await filter('<oc:filter-rules><oc:favorite>1</oc:favorite></oc:filter-rules>')).text,
    )
    expect(listed.map((one) => [one.href, read(one, `${OC}size`)])).toEqual([
      [`${files}/a.txt`, '1'],
      [`${files}/%C3%BC%20f/`, '2'],
      [`${files}/%C3%BC%20f/b.txt`, '2'],
    ])
    expect((await filter('<oc:filter-rules><oc:systemtag>1</oc:systemtag></oc:filter-rules>')).status).toBe(501)
    expect((await filter('')).status).toBe(501)
    expect((await dav.send('REPORT', '', {})).status).toBe(405)
    expect((await patch('<d:set><d:prop><oc:fileid>1</oc:fileid></d:prop></d:set>')).text).toContain('403')
  })
})

describe('writing by clients of Nextcloud and ownCloud', () => {
  it('tells the id, the entity tag and that the date was accepted', async () => {
    const { status, headers } = await dav.put(`${files}/a.txt`, 'x', { 'x-oc-mtime': '1500000000' })
    expect(status).toBe(201)
    expect(headers).toMatchObject({ 'x-oc-mtime': 'accepted', etag: headers['oc-etag'] })
    const file = await look('/a.txt')
    expect(read(file, 'getetag')).toBe(headers.etag)
    expect(read(file, 'getlastmodified')).toBe('Fri, 14 Jul 2017 02:40:00 GMT')
    expect((await download('a.txt')).toString()).toBe('x')
  })

  it('moves a folder of 10,000 files with as many statements as one of none', async () => {
    await dav.send('MKCOL', `${files}/empty`)
    const folder = await makeFolder('full')
    const names = Array.from({ length: 10_000 }, (_, index) => `n${index}`)
    await addManyItems(app.services, { ownerId: user.id, folderId: folder.id, names })
    await list()
    const move = (name: string) =>
      countStatements(() =>
        dav.send('MOVE', `${files}/${name}`, { headers: { destination: `${files}/${name} moved` } }),
      )
    const few = await move('empty')
    expect(await move('full')).toEqual(few)
    expect(await namesIn()).toEqual(['empty moved', 'full moved'])
  }, 60_000)
})

async function idOf(...names: string[]): Promise<string> {
  let { id } = await app.services.db
    .selectFrom('items')
    .select('id')
    .where('owner_id', '=', user.id)
    .where('area', '=', 'drive')
    .where('parent_id', 'is', null)
    .executeTakeFirstOrThrow()
  for (const name of names) {
    const row = await app.services.db
      .selectFrom('items')
      .select('id')
      .where('parent_id', '=', id)
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    id = row.id
  }
  return id
}
