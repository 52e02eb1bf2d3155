import { deleteFile } from '@alcove/contract/trash'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkCounters } from '../../commands/verify.ts'
import { createDavClient, type DavClient, readMultistatus } from '../../testing/clients/dav-client.ts'
import { app, listIn, setUpDrive, user } from '../../testing/factories/drive.ts'

setUpDrive()
let dav: DavClient
beforeEach(async () => {
  dav = await createDavClient(app.app, user)
  await dav.put('a.txt', 'x')
})

const setting = (props: string, attributes = '') =>
  `<?xml version="1.0" encoding="utf-8"?><D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:schemas-microsoft-com:" ${attributes}><D:set><D:prop>${props}</D:prop></D:set></D:propertyupdate>`
const removing = (props: string) =>
  `<D:propertyupdate xmlns:D="DAV:"><D:remove><D:prop>${props}</D:prop></D:remove></D:propertyupdate>`

/** Sends a PROPPATCH and returns the status of each property. */
async function patch(body: string, path = 'a.txt'): Promise<Record<string, number>> {
  const response = await dav.send('PROPPATCH', path, { body })
  expect(response.status).toBe(207)
  const [resource] = readMultistatus(response.text)
  return Object.fromEntries(Object.entries(resource?.props ?? {}).map(([name, { status }]) => [name, status]))
}

const propsOf = async (path = 'a.txt') => (await dav.propfind(path, '0'))[0]?.props ?? {}

const storedBytes = async () =>
  (
    await app.services.db
      .selectFrom('users')
      .select('property_bytes')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
  ).property_bytes

describe('PROPPATCH', () => {
  it('stores, replaces and removes properties of any namespace, also of folders', async () => {
    await dav.send('MKCOL', 'folder')
    for (const path of ['a.txt', 'folder', '']) {
      expect(await patch(setting('<x xmlns="urn:x">1 &amp; 2</x><y xmlns="">3</y>'), path)).toEqual({
        '{urn:x}x': 200,
        '{}y': 200,
      })
      expect(await propsOf(path)).toMatchObject({ '{urn:x}x': { value: '1 & 2' }, '{}y': { value: '3' } })
      await patch(setting('<x xmlns="urn:x">4</x>'), path)
      await patch(removing('<y xmlns=""/><never xmlns="urn:x"/>'), path)
      const props = await propsOf(path)
      expect(props).toMatchObject({ '{urn:x}x': { value: '4' } })
      expect(props).not.toHaveProperty('{}y')
    }
  })

  it('keeps XML, prefixes, attributes and language of a value', async () => {
    const value = '<p:x xmlns:p="urn:p" xml:lang="de">a<p:b p:c="&quot;1&quot;">&lt;</p:b><D:d/></p:x>'
    await patch(setting(value))
    const body = '<D:propfind xmlns:D="DAV:"><D:prop><x xmlns="urn:p"/></D:prop></D:propfind>'
    const { text } = await dav.send('PROPFIND', 'a.txt', { body, headers: { depth: '0' } })
    expect(text).toContain('<x xmlns="urn:p" xml:lang="de">a<p:b')
    expect((await propsOf())['{urn:p}x']?.value).toBe('a<{urn:p}b p:c=""1"">&lt;</{urn:p}b><d/>'.replace('&lt;', '<'))
  })

  it('applies all changes or none', async () => {
    expect(
      await patch(setting('<x xmlns="urn:x">1</x><D:getetag>"mine"</D:getetag><D:displayname>n</D:displayname>')),
    ).toEqual({
      '{urn:x}x': 424,
      getetag: 403,
      displayname: 403,
    })
    expect(await propsOf()).not.toHaveProperty('{urn:x}x')
  })

  it('sets the date of a file in the ways of Windows, ownCloud and others', async () => {
    const cases = [
      ['<Z:Win32LastModifiedTime>Wed, 06 May 2020 07:08:09 GMT</Z:Win32LastModifiedTime>', '2020-05-06T07:08:09.000Z'],
      ['<D:lastmodified>1588748890</D:lastmodified>', '2020-05-06T07:08:10.000Z'],
      ['<D:getlastmodified>Wed, 06 May 2020 07:08:11 GMT</D:getlastmodified>', '2020-05-06T07:08:11.000Z'],
    ] as const
    for (const [props, date] of cases) {
      expect(Object.values(await patch(setting(props)))).toEqual([200])
      expect((await listIn())[0]).toMatchObject({ modifiedAt: date })
    }
    expect(await patch(setting('<D:getlastmodified>yesterday</D:getlastmodified>'))).toEqual({ getlastmodified: 409 })
    expect(await patch(setting('<D:lastmodified>99999999999999</D:lastmodified>'))).toEqual({ lastmodified: 409 })
  })

  it('keeps the other dates and the attributes that Windows sends', async () => {
    const names = ['Win32CreationTime', 'Win32LastAccessTime', 'Win32LastModifiedTime', 'Win32FileAttributes']
    const date = 'Wed, 06 May 2020 07:08:09 GMT'
    const props = names.map((name) => `<Z:${name}>${name === 'Win32FileAttributes' ? '00000020' : date}</Z:${name}>`)
    await dav.send('MKCOL', 'folder')
    for (const path of ['a.txt', 'folder']) {
      expect(Object.values(await patch(setting(props.join('')), path))).toEqual([200, 200, 200, 200])
      const asked = names.map((name) => `<${name} xmlns="urn:schemas-microsoft-com:"/>`).join('')
      const [resource] = await dav.propfind(
        path,
        '0',
        `<D:propfind xmlns:D="DAV:"><D:prop>${asked}</D:prop></D:propfind>`,
      )
      expect(Object.values(resource?.props ?? {}).map(({ value }) => value)).toEqual([date, date, date, '00000020'])
    }
  })

  it('limits the number and size of properties and counts their bytes', async () => {
    expect(await patch(setting(`<x xmlns="urn:x">${'v'.repeat(17_000)}</x>`))).toEqual({ '{urn:x}x': 413 })
    expect(await patch(setting(`<x xmlns="urn:${'n'.repeat(1100)}"/>`))).toEqual({
      [`{urn:${'n'.repeat(1100)}}x`]: 413,
    })
    const many = Array.from({ length: 65 }, (_unused, n) => `<x${n} xmlns="urn:x"/>`)
    expect(new Set(Object.values(await patch(setting(many.join('')))))).toEqual(new Set([507]))
    expect(await storedBytes()).toBe(0)
    await patch(setting(many.slice(1).join('')))
    await patch(setting('<x1 xmlns="urn:x">1234</x1>'))
    expect(await storedBytes()).toBe(64 * 8 - 9 + 4)
    const [file] = await listIn()
    await dav.send('COPY', 'a.txt', { headers: { destination: '/dav/b.txt' } })
    expect(await storedBytes()).toBe(2 * (64 * 8 - 9 + 4))
    await dav.send('DELETE', 'a.txt')
    await user.client.call(deleteFile, { id: file?.id as string })
    expect(await checkCounters(app.services.db, () => {})).toBe(0)
    expect(await storedBytes()).toBe(64 * 8 - 9 + 4)
  })

  it('refuses bodies that are not a propertyupdate', async () => {
    for (const body of [
      undefined,
      '<x/>',
      '<D:propertyupdate xmlns:D="DAV:"/>',
      '<D:propertyupdate xmlns:D="DAV:"><D:set/></D:propertyupdate>',
    ]) {
      expect((await dav.send('PROPPATCH', 'a.txt', { ...(body && { body }) })).status).toBe(400)
    }
    expect((await dav.send('PROPPATCH', 'missing', { body: setting('<x xmlns="urn:x"/>') })).status).toBe(404)
  })
})
