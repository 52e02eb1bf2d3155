import { trashItems } from '@alcove/contract/item-calls'
import { beforeEach, describe, expect, it } from 'vitest'
import { createDavClient, type DavClient, type DavResource } from '../../../testing/clients/dav-client.ts'
import { app, download, makeFolder, namesIn, setUpDrive, trashNames, user } from '../../../testing/factories/drive.ts'
import { addManyItems } from '../../../testing/factories/many-items.ts'
import { drawTestPicture } from '../../../testing/factories/pictures.ts'

setUpDrive()
let dav: DavClient
let base: string
let files: string
beforeEach(async () => {
  dav = await createDavClient(app.app, user)
  base = '/remote.php/dav'
  files = `${base}/files/${user.email}`
})

const OC = '{http://owncloud.org/ns}'
const NC = '{http://nextcloud.org/ns}'
const BODY = `<?xml version="1.0"?><d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"><d:prop>
  <d:resourcetype/><d:getcontentlength/><d:getlastmodified/><oc:fileid/><oc:size/><nc:trashbin-filename/>
  <nc:trashbin-original-location/><nc:trashbin-deletion-time/></d:prop></d:propfind>`

const read = (resource: DavResource | undefined, name: string) => resource?.props[name]?.value
const numberOf = async (path: string, client = dav) =>
  read((await client.propfind(`${files}/${path}`, '0', BODY))[0], `${OC}fileid`) as string

describe('the trash for clients of Nextcloud', () => {
  const trash = () => `${base}/trashbin/${user.email}/trash`
  const listed = async (client = dav) => (await client.propfind(trash(), '1', BODY)).slice(1)
  const restore = (href: string, client = dav, to = 'restore') =>
    client.send('MOVE', href, { headers: { destination: `${base}/trashbin/${user.email}/${to}/x` } })

  async function fill(): Promise<void> {
    const folder = await makeFolder('Año')
    await user.client.upload('a.txt', 'abc', { folderId: folder.id })
    await user.client.upload('b.txt', 'x')
    await user.client.upload('secret', 'x', { isEncrypted: true })
    await dav.send('DELETE', `${files}/${encodeURIComponent('Año')}/a.txt`)
    app.clock.advance(1000)
    await dav.send('DELETE', `${files}/${encodeURIComponent('Año')}`)
    app.clock.advance(1000)
    await dav.send('DELETE', `${files}/b.txt`)
  }

  it('lists what was deleted, with its name, place and time', async () => {
    await fill()
    const items = await listed()
    expect(items.map((item) => [read(item, `${NC}trashbin-original-location`), item.href.split('/').at(6)])).toEqual([
      ['Año/a.txt', expect.stringMatching(/^a\.txt\.d\d+$/)],
      ['Año', expect.stringMatching(/^A%C3%B1o\.d\d+$/)],
      ['b.txt', expect.stringMatching(/^b\.txt\.d\d+$/)],
    ])
    const times = items.map((item) => Number(read(item, `${NC}trashbin-deletion-time`)))
    expect(times.map((time) => time - (times[0] as number))).toEqual([0, 1, 2])
    expect(times[2]).toBe(Math.floor(app.clock.now() / 1000))
    expect(read(items[0], `${NC}trashbin-filename`)).toBe('a.txt')
    expect(read(items[0], 'getcontentlength')).toBe('3')
    expect((await dav.propfind(items[0]?.href as string, '0', BODY))[0]).toEqual(items[0])
  })

  it('brings items back and deletes them for good', async () => {
    await fill()
    const [first, folder, last] = (await listed()).map(({ href }) => href)
    expect((await restore(folder as string, dav, 'elsewhere')).status).toBe(403)
    expect((await restore(folder as string)).status).toBe(201)
    expect((await restore(folder as string)).status).toBe(404)
    expect((await restore(first as string)).status).toBe(201)
    expect(await dav.names(`${files}/A%C3%B1o`)).toEqual(['a.txt'])
    const [around] = await dav.propfind(`${files}/A%C3%B1o`, '0', BODY)
    expect(read(around, `${OC}size`)).toBe('3')
    expect((await dav.send('DELETE', last as string)).status).toBe(204)
    expect(await listed()).toEqual([])
    await dav.send('DELETE', `${files}/A%C3%B1o`)
    expect((await dav.send('DELETE', trash())).status).toBe(204)
    expect(await trashNames()).toEqual({ files: [], folders: [] })
  })

  it('lists what was trashed with a folder, at any depth, which can’t be changed there', async () => {
    const folder = await makeFolder('Año')
    const inside = await makeFolder("it's <deep>", folder.id)
    await user.client.upload('a.txt', 'abc', { folderId: inside.id })
    await user.client.upload('earlier.txt', 'x', { folderId: inside.id })
    await dav.send('DELETE', `${files}/A%C3%B1o/it%27s%20%3Cdeep%3E/earlier.txt`)
    await user.client.upload('earlier.txt', 'xy', { folderId: inside.id })
    app.clock.advance(1000)
    await dav.send('DELETE', `${files}/A%C3%B1o`)
    const top = (await listed()).find((item) => read(item, `${NC}trashbin-filename`) === 'Año')
    const list = async (href: string, depth = '1') => dav.propfind(href, depth, BODY)
    const [self, deep, ...others] = await list(top?.href as string)
    expect([self, others]).toEqual([top, []])
    expect(deep?.href).toBe(`${top?.href}it%27s%20%3Cdeep%3E/`)
    const [sameDeep, ...below] = await list(deep?.href as string)
    expect(sameDeep).toEqual(deep)
    expect(below.map(({ href }) => href)).toEqual([`${deep?.href}a.txt`, `${deep?.href}earlier.txt`])
    expect(read(below[0], `${NC}trashbin-original-location`)).toBe("Año/it's <deep>/a.txt")
    expect(read(below[0], `${NC}trashbin-deletion-time`)).toBe(read(top, `${NC}trashbin-deletion-time`))
    expect(read(below[1], 'getcontentlength')).toBe('2')
    expect(await list(below[0]?.href as string)).toEqual([below[0]])
    expect(await list(deep?.href as string, '0')).toEqual([deep])
    for (const href of [deep?.href, below[0]?.href] as string[]) {
      expect((await restore(href)).status).toBe(403)
      expect((await dav.send('DELETE', href)).status).toBe(403)
    }
    expect((await dav.send('PROPFIND', `${top?.href}none`)).status).toBe(404)
    expect((await dav.send('PROPFIND', `${below[0]?.href}/x`)).status).toBe(404)
    const bound = await createDavClient(app.app, user, { folderId: (await makeFolder('other')).id })
    expect((await bound.send('PROPFIND', deep?.href as string)).status).toBe(404)
  })

  it('lists a trashed folder of any size', async () => {
    const folder = await makeFolder('Many')
    const names = Array.from({ length: 2500 }, (_unused, index) => `${index}.txt`)
    await addManyItems(app.services, { ownerId: user.id, folderId: folder.id, names })
    await dav.send('DELETE', `${files}/Many`)
    const [top] = await listed()
    expect(await dav.propfind(top?.href as string, '1', BODY)).toHaveLength(2501)
  })

  it('keeps to the user, the scope and the folder', async () => {
    await fill()
    const [first, folder] = (await listed()).map(({ href }) => href)
    const reader = await createDavClient(app.app, user, { scope: 'read' })
    expect(await listed(reader)).toHaveLength(3)
    expect((await restore(first as string, reader)).status).toBe(403)
    expect((await reader.send('DELETE', first as string)).status).toBe(403)
    await restore(folder as string)
    const other = await makeFolder('other')
    const bound = await createDavClient(app.app, user, { folderId: other.id })
    expect(await listed(bound)).toEqual([])
    expect((await restore(first as string, bound)).status).toBe(404)
    expect((await bound.send('DELETE', first as string)).status).toBe(404)
    const stranger = await app.createUser()
    const theirs = await createDavClient(app.app, stranger)
    expect((await theirs.send('DELETE', first as string)).status).toBe(404)
    const own = (first as string).replace(user.email, stranger.email)
    expect((await theirs.send('DELETE', own)).status).toBe(404)
    expect(await listed()).toHaveLength(2)
  })

  it('refuses hostile addresses', async () => {
    await fill()
    for (const name of [
      'trash/x',
      'trash/x.d',
      'trash/x.d99999999999999999',
      'trash/x.d1/y',
      'restore',
      'restore/x',
      '%00',
    ]) {
      for (const method of ['PROPFIND', 'MOVE', 'DELETE', 'PUT', 'GET', 'MKCOL']) {
        const headers = { depth: '1', destination: `${base}/trashbin/${user.email}/restore/x` }
        const { status } = await dav.send(method, `${base}/trashbin/${user.email}/${name}`, { headers })
        expect([400, 403, 404]).toContain(status)
      }
    }
  })
})

describe('versions for clients of Nextcloud', () => {
  it('are listed, read and restored', async () => {
    const reader = await createDavClient(app.app, user, { scope: 'read' })
    const stranger = await createDavClient(app.app, await app.createUser())
    await dav.put(`${files}/a.txt`, 'first')
    app.clock.advance(3_600_000)
    await dav.put(`${files}/a.txt`, 'the second')
    const number = await numberOf('a.txt')
    const versions = `${base}/versions/${user.email}/versions/${number}`
    const [, version, ...others] = await dav.propfind(versions, '1', BODY)
    expect(others).toEqual([])
    expect(read(version, 'getcontentlength')).toBe('5')
    const href = version?.href as string
    expect((await dav.send('GET', href)).text).toBe('first')
    const to = (name: string) => ({ headers: { destination: `${base}/versions/${user.email}/${name}/target` } })
    expect((await dav.send('MOVE', href, to('versions'))).status).toBe(403)
    expect((await reader.send('MOVE', href, to('restore'))).status).toBe(403)
    expect((await stranger.send('GET', href)).status).toBe(404)
    expect((await dav.send('COPY', href, to('restore'))).status).toBe(204)
    expect((await download('a.txt')).toString()).toBe('first')
    for (const name of ['0', 'x', `${number}/0`, `${number}/x`, `${number}/1/2`]) {
      expect((await dav.send('GET', `${base}/versions/${user.email}/versions/${name}`)).status).toBe(404)
    }
  })
})

describe('previews for clients of Nextcloud', () => {
  it('are sent by number and by path, also of what is in the trash', async () => {
    const { id } = await user.client.upload('ä b.png', await drawTestPicture(40, 30).png().toBuffer())
    await user.client.upload('text.txt', 'x')
    const number = await numberOf(encodeURIComponent('ä b.png'))
    const get = (url: string, client = dav) => client.send('GET', url)
    for (const url of [
      `/index.php/core/preview?fileId=${number}&x=64&y=64&a=1&mode=cover`,
      `/index.php/core/preview.png?file=${encodeURIComponent('/ä b.png')}&x=1024&y=1024`,
      `/index.php/apps/files/api/v1/thumbnail/128/128/${encodeURIComponent('ä b.png')}`,
    ]) {
      const { status, headers } = await get(url)
      expect([url, status, headers['content-type']]).toEqual([url, 200, 'image/webp'])
    }
    const stranger = await createDavClient(app.app, await app.createUser())
    expect((await get(`/index.php/core/preview?fileId=${number}`, stranger)).status).toBe(404)
    const folder = await makeFolder('other')
    const bound = await createDavClient(app.app, user, { folderId: folder.id })
    expect((await get(`/index.php/core/preview?fileId=${number}`, bound)).status).toBe(404)
    for (const query of [
      '',
      '?fileId=0',
      '?fileId=x',
      '?file=/text.txt',
      '?file=..%2f',
      '?file=/none',
      '?fileId[]=1',
    ]) {
      expect([400, 404]).toContain((await get(`/index.php/core/preview${query}`)).status)
    }
    for (const path of ['', '/1', '/1/2', '/x/y/a', '/1/2/%00', '/1/2/']) {
      expect([400, 404]).toContain((await get(`/index.php/apps/files/api/v1/thumbnail${path}`)).status)
    }
    const anonymous = { headers: { authorization: '' } }
    expect((await dav.send('GET', `/index.php/core/preview?fileId=${number}`, anonymous)).status).toBe(401)
    await user.client.call(trashItems, { itemIds: [id] })
    expect((await get(`/index.php/apps/files_trashbin/preview?fileId=${number}`)).status).toBe(200)
    expect(await namesIn()).toEqual(['other', 'text.txt'])
  })
})
