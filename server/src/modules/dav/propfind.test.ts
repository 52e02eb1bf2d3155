import { beforeEach, describe, expect, it } from 'vitest'
import { createDavClient, type DavClient } from '../../testing/clients/dav-client.ts'
import { countStatements } from '../../testing/engines/item-scans.ts'
import { app, makeFolder, setUpDrive, switchToNewUser, usedBytes, user } from '../../testing/factories/drive.ts'
import { addManyItems } from '../../testing/factories/many-items.ts'

setUpDrive()
let dav: DavClient
beforeEach(async () => {
  dav = await createDavClient(app.app, user)
})

const propBody = (names: string, declarations = '') =>
  `<?xml version="1.0" encoding="utf-8"?><D:propfind xmlns:D="DAV:" ${declarations}><D:prop>${names}</D:prop></D:propfind>`

describe('PROPFIND', () => {
  it('describes files and folders with absolute, encoded addresses', async () => {
    const folder = await makeFolder('Año & 100% #1;+')
    await user.client.upload('über "1" <2>.txt', 'hello', {
      folderId: folder.id,
      lastModified: '2020-05-06T07:08:09.000Z',
    })
    const [root, listed] = await dav.propfind('', '1')
    expect(root?.href).toBe('/dav/')
    expect(listed?.href).toBe('/dav/A%C3%B1o%20%26%20100%25%20%231%3B%2B/')
    expect(listed?.props.resourcetype).toEqual({ status: 200, value: '<collection/>' })
    const [, file] = await dav.propfind(listed?.href as string, '1')
    expect(file?.href).toBe(`${listed?.href}%C3%BCber%20%221%22%20%3C2%3E.txt`)
    expect(file?.props).toMatchObject({
      displayname: { status: 200, value: 'über "1" <2>.txt' },
      getcontentlength: { status: 200, value: '5' },
      getcontenttype: { status: 200, value: 'text/plain' },
      getlastmodified: { status: 200, value: 'Wed, 06 May 2020 07:08:09 GMT' },
      creationdate: { status: 200, value: '2026-01-15T12:00:00.000Z' },
      resourcetype: { status: 200, value: '' },
    })
    expect((await dav.send('GET', file?.href as string)).headers.etag).toBe(file?.props.getetag?.value)
  })

  it('finds a name whether its accents are composed or not, and returns the stored form', async () => {
    await user.client.upload('\u00e9.txt', 'x')
    const [file] = await dav.propfind(encodeURIComponent('e\u0301.txt'), '0')
    expect(file?.href).toBe('/dav/%C3%A9.txt')
  })

  it('returns only the properties that were asked for, and 404 for those that do not exist', async () => {
    await dav.put('a.txt', 'x')
    const [file] = await dav.propfind('a.txt', '0', propBody('<D:getetag/><D:nothing/><x:own/>', 'xmlns:x="urn:x"'))
    expect(Object.entries(file?.props ?? {}).map(([name, { status }]) => [name, status])).toEqual([
      ['getetag', 200],
      ['nothing', 404],
      ['{urn:x}own', 404],
    ])
  })

  it('returns the names of properties without their values', async () => {
    const [root] = await dav.propfind('', '0', '<D:propfind xmlns:D="DAV:"><D:propname/></D:propfind>')
    expect(Object.values(root?.props ?? {}).every(({ value }) => value === '')).toBe(true)
    expect(root?.props).toHaveProperty('quota-available-bytes')
  })

  it('returns the quota if it is asked for by name', async () => {
    await switchToNewUser({ allocatedBytes: 1000 })
    dav = await createDavClient(app.app, user)
    await dav.put('a.txt', 'x'.repeat(100))
    const [root] = await dav.propfind('', '0', propBody('<D:quota-available-bytes/><D:quota-used-bytes/>'))
    expect(root?.props).toEqual({
      'quota-available-bytes': { status: 200, value: '900' },
      'quota-used-bytes': { status: 200, value: '100' },
    })
    expect((await dav.propfind('', '0'))[0]?.props).not.toHaveProperty('quota-used-bytes')
    expect(await usedBytes()).toBe(100)
  })

  it('returns the checksums of a file that arrived by WebDAV', async () => {
    await dav.put('a.txt', 'abc')
    const [file] = await dav.propfind('a.txt', '0', propBody('<oc:checksums/>', 'xmlns:oc="http://owncloud.org/ns"'))
    expect(file?.props['{http://owncloud.org/ns}checksums']?.value).toContain(
      'SHA1:a9993e364706816aba3e25717850c26c9cd0d89d MD5:900150983cd24fb0d6963f7d28e17f72 SHA256:ba7816bf',
    )
  })

  it('refuses to list a folder with everything below it, also without a Depth header', async () => {
    for (const headers of [{ depth: 'infinity' }, {}] as Record<string, string>[]) {
      const { status, text, headers: sent } = await dav.send('PROPFIND', '', { headers })
      expect(status).toBe(403)
      expect(text).toContain('<D:propfind-finite-depth/>')
      expect(sent['content-type']).toBe('application/xml; charset=utf-8')
    }
    expect((await dav.send('PROPFIND', '', { headers: { depth: '2' } })).status).toBe(400)
  })

  it('returns 404 for what does not exist, is in the trash or lies below a file', async () => {
    await dav.put('a.txt', 'x')
    await dav.put('gone.txt', 'x')
    await dav.send('DELETE', 'gone.txt')
    for (const path of ['nothing', 'gone.txt', 'a.txt/below']) {
      expect((await dav.send('PROPFIND', path, { headers: { depth: '0' } })).status).toBe(404)
    }
  })

  it('shows neither the vault nor the files of others', async () => {
    await user.client.upload('secret', 'x', { isEncrypted: true })
    const stranger = await createDavClient(app.app, await app.createUser({ planName: '2 TB Annually' }))
    await stranger.put('theirs.txt', 'x')
    expect(await dav.names('')).toEqual([])
    expect((await dav.send('GET', 'theirs.txt')).status).toBe(404)
  })

  it('lists each of 2,500 items once, with a few statements for each thousand', async () => {
    const folder = await makeFolder('many')
    const names = Array.from({ length: 2_500 }, (_unused, index) => `f${index}.txt`)
    await addManyItems(app.services, { ownerId: user.id, folderId: folder.id, names })
    let listed: string[] = []
    const statements = await countStatements(async () => {
      listed = await dav.names('many/')
    })
    expect(listed.toSorted()).toEqual(names.toSorted())
    expect(statements).toBeLessThan(10)
  })

  it('answers OPTIONS and PROPFIND at the root of the server, and redirects the well-known address', async () => {
    const options = await dav.send('OPTIONS', '/')
    expect(options.status).toBe(200)
    expect(options.headers).toMatchObject({ dav: '1, 2, 3', 'ms-author-via': 'DAV' })
    expect((await dav.propfind('/', '1')).map(({ href }) => href)).toEqual(['/', '/dav/'])
    const { status, headers } = await dav.send('PROPFIND', '/.well-known/webdav')
    expect({ status, location: headers.location }).toEqual({ status: 301, location: '/dav/' })
  })
})
