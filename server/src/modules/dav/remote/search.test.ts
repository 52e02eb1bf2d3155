import { addFavorite } from '@alcove/contract/favorites'
import { beforeEach, describe, expect, it } from 'vitest'
import { createDavClient, type DavClient, readMultistatus } from '../../../testing/clients/dav-client.ts'
import { app, makeFolder, setUpDrive, switchToNewUser, user } from '../../../testing/factories/drive.ts'
import { addManyItems } from '../../../testing/factories/many-items.ts'

setUpDrive()
let dav: DavClient
beforeEach(async () => {
  dav = await createDavClient(app.app, user)
})

const compare = (operator: string, property: string, literal: string) =>
  `<d:${operator}><d:prop><${property}/></d:prop><d:literal>${literal}</d:literal></d:${operator}>`
const IMAGES_AND_VIDEOS = `<d:or>${compare('like', 'd:getcontenttype', 'image/%')}${compare('like', 'd:getcontenttype', 'video/%')}</d:or>`
const BY_DATE = '<d:orderby><d:order><d:prop><d:getlastmodified/></d:prop><d:descending/></d:order></d:orderby>'

interface Asked {
  where: string
  href?: string
  depth?: string
  more?: string
  by?: DavClient
}

/** Sends a search as the apps for phones do. */
function send({ where, href = `/files/${user.email}`, depth = 'infinity', more = BY_DATE, by = dav }: Asked) {
  const body = `<?xml version="1.0"?><d:searchrequest xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns">
    <d:basicsearch><d:select><d:prop><d:getcontenttype/><oc:fileid/><oc:size/><oc:favorite/></d:prop></d:select>
    <d:from><d:scope><d:href>${href}</d:href><d:depth>${depth}</d:depth></d:scope></d:from>
    <d:where>${where}</d:where>${more}</d:basicsearch></d:searchrequest>`
  return by.send('SEARCH', '/remote.php/dav/', { headers: { 'content-type': 'text/xml' }, body })
}

async function find(where: string, details: Omit<Asked, 'where'> = {}): Promise<string[]> {
  const { status, text } = await send({ where, ...details })
  if (status !== 207) throw new Error(`${status} ${text}`)
  const prefix = `/remote.php/dav/files/${encodeURIComponent(user.email)}/`
  return readMultistatus(text).map(({ href }) => decodeURIComponent(href.slice(prefix.length).replace(/\/$/, '')))
}

/** Uploads files, each a day newer than the one before it. */
async function upload(names: readonly string[], folderId?: string): Promise<void> {
  for (const [day, name] of names.entries()) {
    await user.client.upload(name, 'x', { folderId, lastModified: Date.UTC(2024, 0, 1 + day) })
  }
}

describe('a search of Nextcloud clients', () => {
  it('finds pictures and videos between two dates, the newest first', async () => {
    const { id } = await makeFolder('Año 1')
    await upload(['a.JPG', 'b.mp4', 'c.txt', 'd.mp3', '._e.jpg', 'f.png', 'g'], id)
    expect(await find(IMAGES_AND_VIDEOS)).toEqual(['Año 1/f.png', 'Año 1/b.mp4', 'Año 1/a.JPG'])
    const between = (later: string, earlier: string) =>
      `<d:and>${IMAGES_AND_VIDEOS}<d:or><d:and>${compare('lt', 'd:getlastmodified', later)}${compare('gt', 'd:getlastmodified', earlier)}</d:and></d:or></d:and>`
    expect(await find(between('2024-01-05T00:00:00+00:00', '2024-01-01T12:00:00Z'))).toEqual(['Año 1/b.mp4'])
    const seconds = Date.UTC(2024, 0, 2) / 1000
    expect(await find(between(String(seconds), '0'))).toEqual(['Año 1/a.JPG'])
    const limit = (count: number, first: number) =>
      `${BY_DATE}<d:limit><d:nresults>${count}</d:nresults><nc:firstresult>${first}</nc:firstresult></d:limit>`
    expect(await find(IMAGES_AND_VIDEOS, { more: limit(1, 1) })).toEqual(['Año 1/b.mp4'])
    expect(await find(compare('eq', 'd:getcontenttype', 'application/octet-stream'))).toEqual(['Año 1/g'])
    expect(await find(`<d:not>${compare('like', 'd:getcontenttype', '%')}</d:not>`)).toEqual(['Año 1'])
  })

  it('finds names as the search of the web does, of folders only if that is wanted', async () => {
    const { id } = await makeFolder('Holiday')
    await upload(['my holiday.txt', 'HOLÍDAY.jpg', 'other.txt'], id)
    const name = compare('like', 'd:displayname', '%holiday%')
    expect(await find(name)).toEqual(['Holiday', 'Holiday/HOLÍDAY.jpg', 'Holiday/my holiday.txt'])
    expect(await find(`<d:and><d:is-collection/>${name}</d:and>`)).toEqual(['Holiday'])
    expect(await find(name, { more: '<d:limit><d:nresults>1</d:nresults></d:limit>' })).toEqual(['Holiday'])
    expect(await find(compare('like', 'd:displayname', '%%'))).toEqual([])
    expect(await find(compare('like', 'd:displayname', "%' or 1=1 --%"))).toEqual([])
  })

  it('finds favorites, recent files and a file by its number, with the properties that are wanted', async () => {
    const lastModified = app.clock.now() - 10 * 24 * 3_600_000
    const { id } = await user.client.upload('a.txt', 'abc', { lastModified })
    await user.client.upload('b.txt', 'x')
    await user.client.call(addFavorite, { itemType: 'file', itemId: id })
    expect(await find(compare('eq', 'oc:favorite', 'yes'))).toEqual(['a.txt'])
    expect(await find(compare('eq', 'oc:favorite', '0'))).toEqual(['b.txt'])
    const weekAgo = new Date(app.clock.now() - 7 * 24 * 3_600_000).toISOString()
    expect(await find(compare('gt', 'd:getlastmodified', weekAgo))).toEqual(['b.txt'])
    const [found] = readMultistatus((await send({ where: compare('eq', 'oc:favorite', '1') })).text)
    const value = (property: string) => found?.props[`{http://owncloud.org/ns}${property}`]?.value as string
    expect([value('size'), value('favorite')]).toEqual(['3', '1'])
    expect(await find(compare('eq', 'oc:fileid', value('fileid')))).toEqual(['a.txt'])
    expect(await find(compare('eq', 'oc:fileid', 'x'))).toEqual([])
  })

  it('looks in one folder, with or without those below it', async () => {
    const outer = await makeFolder('Año 1')
    const inner = await makeFolder('in', outer.id)
    await upload(['a.jpg'])
    await upload(['b.jpg'], outer.id)
    await upload(['c.jpg'], inner.id)
    const base = `/files/${user.email}`
    const pictures = compare('like', 'd:getcontenttype', 'image/%')
    expect((await find(pictures, { href: `${base}/Año 1` })).sort()).toEqual(['Año 1/b.jpg', 'Año 1/in/c.jpg'])
    expect(await find(pictures, { href: `${base}/A%C3%B1o%201/`, depth: '1' })).toEqual(['Año 1/b.jpg'])
    expect(await find(pictures, { href: encodeURI(base), depth: '1' })).toEqual(['a.jpg'])
    for (const href of [`${base}/none`, '/files/other@example.com', '/', '', '/trashbin/x', `${base}/../x`]) {
      expect([400, 404]).toContain((await send({ where: pictures, href })).status)
    }
    const bound = await createDavClient(app.app, user, { folderId: inner.id })
    expect(await find(pictures, { by: bound })).toEqual(['c.jpg'])
    const uploader = await createDavClient(app.app, user, { scope: 'upload' })
    expect((await send({ where: pictures, by: uploader })).status).toBe(403)
  })

  it('finds nothing in the trash, in the vault or of others', async () => {
    const pictures = compare('like', 'd:getcontenttype', 'image/%')
    await upload(['a.jpg'])
    await user.client.upload('b.jpg', 'x', { isEncrypted: true })
    await dav.send('DELETE', 'a.jpg')
    expect(await find(pictures)).toEqual([])
    await upload(['c.jpg'])
    await switchToNewUser({})
    dav = await createDavClient(app.app, user)
    expect(await find(pictures)).toEqual([])
  })

  it('has at most a thousand results', async () => {
    const names = Array.from({ length: 1500 }, (_unused, index) => `${index}.jpg`)
    await addManyItems(app.services, { ownerId: user.id, names })
    expect(await find(IMAGES_AND_VIDEOS)).toHaveLength(1000)
    const more = '<d:limit><d:nresults>99999</d:nresults><nc:firstresult>1000</nc:firstresult></d:limit>'
    expect(await find(IMAGES_AND_VIDEOS, { more })).toHaveLength(500)
  })

  it.each([
    ['', 400],
    ['<d:and/>', 207],
    ['<d:is-collection/><d:is-collection/>', 400],
    [compare('gt', 'd:getlastmodified', 'tomorrow'), 400],
    ['<d:eq><d:literal>x</d:literal></d:eq>', 400],
    [`<d:and>${'<d:is-collection/>'.repeat(60)}</d:and>`, 400],
    [compare('like', 'd:displayname', 'a%'), 501],
    [`<d:or>${compare('like', 'd:displayname', '%a%')}<d:is-collection/></d:or>`, 501],
    [compare('eq', 'd:displayname', 'a'), 501],
    [compare('like', 'd:getcontenttype', '%a%b%c%'), 501],
    [compare('gt', 'oc:size', '1'), 501],
    ['<oc:and/>', 501],
    ['<d:contains>x</d:contains>', 501],
  ])('with the condition %j has the status %i', async (where, status) => {
    expect((await send({ where })).status).toBe(status)
  })

  it('needs a body, and exists only at its address', async () => {
    expect((await dav.send('SEARCH', '/remote.php/dav/')).status).toBe(400)
    expect((await dav.send('SEARCH', '/remote.php/dav', { body: '<d:searchrequest xmlns:d="DAV:"/>' })).status).toBe(
      400,
    )
    expect((await dav.send('SEARCH', '/dav/')).status).toBe(405)
    expect((await dav.send('SEARCH', `/remote.php/dav/files/${user.email}/`)).status).toBe(405)
  })
})
