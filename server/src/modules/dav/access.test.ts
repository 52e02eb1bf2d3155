import { listAppPasswords, revokeAppPassword } from '@alcove/contract/app-passwords'
import { beforeEach, describe, expect, it } from 'vitest'
import { createDavClient, DavClient } from '../../testing/clients/dav-client.ts'
import { app, makeFolder, namesIn, setUpDrive, user } from '../../testing/factories/drive.ts'
import { TEST_PASSWORD } from '../../testing/factories/users.ts'

setUpDrive({ davOrigins: ['https://app.example.com', 'app://obsidian.md'] })
let dav: DavClient
beforeEach(async () => {
  dav = await createDavClient(app.app, user)
})

const METHODS = ['GET', 'HEAD', 'PUT', 'DELETE', 'PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK']

describe('the authentication of WebDAV', () => {
  it('asks for Basic credentials on every method but OPTIONS', async () => {
    for (const method of METHODS) {
      const response = await app.app.inject({
        method: method as 'GET',
        url: '/dav/x',
        payload: method === 'PUT' ? 'x' : '',
      })
      expect([method, response.statusCode]).toEqual([method, 401])
      expect(response.headers['www-authenticate']).toBe('Basic realm="Alcove", charset="UTF-8"')
    }
    const { statusCode, headers } = await app.app.inject({ method: 'OPTIONS', url: '/dav/x' })
    expect(statusCode).toBe(200)
    expect(headers.allow?.split(', ').toSorted()).toEqual(['OPTIONS', ...METHODS].toSorted())
  })

  it('accepts neither the password of the account nor a revoked one', async () => {
    const withAccount = new DavClient(app.app, user.email, TEST_PASSWORD)
    expect((await withAccount.send('PROPFIND', '', { headers: { depth: '0' } })).status).toBe(401)
    const { appPasswords } = (await user.client.call(listAppPasswords, {})).body
    await user.client.call(revokeAppPassword, { id: appPasswords[0]?.id as string })
    expect((await dav.send('PROPFIND', '', { headers: { depth: '0' } })).status).toBe(401)
  })

  it('accepts the token of a session, and neither reads nor sets cookies', async () => {
    const authorization = `Bearer ${user.token}`
    const response = await dav.send('PROPFIND', '', { headers: { authorization, depth: '0', cookie: 'session=x' } })
    expect(response.status).toBe(207)
    expect(response.headers).not.toHaveProperty('set-cookie')
  })
})

describe('the scope of an app password', () => {
  it('of reading prevents every change', async () => {
    await dav.put('a.txt', 'x')
    const reader = await createDavClient(app.app, user, { scope: 'read' })
    expect((await reader.send('GET', 'a.txt')).status).toBe(200)
    expect(await reader.names('')).toEqual(['a.txt'])
    for (const method of METHODS.filter((one) => !['GET', 'HEAD', 'PROPFIND'].includes(one))) {
      const response = await reader.send(method, 'a.txt', { headers: { destination: '/dav/b.txt' } })
      expect([method, response.status]).toEqual([method, 403])
    }
    expect(await namesIn()).toEqual(['a.txt'])
  })

  it('of uploading allows only new files and folders', async () => {
    await dav.put('a.txt', 'x')
    const uploader = await createDavClient(app.app, user, { scope: 'upload' })
    expect((await uploader.send('MKCOL', 'folder')).status).toBe(201)
    expect((await uploader.put('folder/b.txt', 'x')).status).toBe(201)
    expect((await uploader.put('a.txt', 'changed')).status).toBe(403)
    for (const method of METHODS.filter((one) => one !== 'PUT' && one !== 'MKCOL')) {
      const response = await uploader.send(method, 'a.txt', { headers: { destination: '/dav/b.txt', depth: '0' } })
      expect([method, response.status]).toEqual([method, 403])
    }
    expect((await uploader.send('OPTIONS', '')).status).toBe(200)
    expect((await dav.send('GET', 'a.txt')).text).toBe('x')
  })

  it('of one folder shows that folder as the root', async () => {
    const folder = await makeFolder('bound')
    await dav.put('outside.txt', 'x')
    await dav.put('bound/inside.txt', 'x')
    const bound = await createDavClient(app.app, user, { folderId: folder.id })
    expect((await bound.propfind('', '1')).map(({ href }) => href)).toEqual(['/dav/', '/dav/inside.txt'])
    for (const path of ['outside.txt', 'bound/inside.txt']) expect((await bound.send('GET', path)).status).toBe(404)
    expect((await bound.put('new.txt', 'x')).status).toBe(201)
    expect((await bound.send('MKCOL', 'deeper')).status).toBe(201)
    const moved = await bound.send('MOVE', 'new.txt', { headers: { destination: '/dav/deeper/moved.txt' } })
    expect(moved.status).toBe(201)
    const copied = await bound.send('COPY', 'deeper', { headers: { destination: '/dav/copy' } })
    expect(copied.status).toBe(201)
    expect(await dav.names('bound/deeper')).toEqual(['moved.txt'])
    expect((await bound.send('DELETE', '')).status).toBe(403)
    await dav.send('DELETE', 'bound')
    expect((await bound.send('PROPFIND', '', { headers: { depth: '0' } })).status).toBe(404)
  })

  it('of one folder shows a lock of a folder above as one of the root', async () => {
    await makeFolder('outer')
    await dav.send('MKCOL', 'outer/inner')
    const [, listed] = await dav.propfind('outer', '1')
    expect(listed?.href).toBe('/dav/outer/inner/')
    const inner = await app.services.db
      .selectFrom('items')
      .select('id')
      .where('name', '=', 'inner')
      .where('owner_id', '=', user.id)
      .executeTakeFirstOrThrow()
    const bound = await createDavClient(app.app, user, { folderId: inner.id })
    await dav.lock('outer')
    const [root] = await bound.propfind('', '0')
    expect(root?.props.lockdiscovery?.value).toContain('<lockroot><href>/dav/</href></lockroot>')
    expect((await bound.put('a.txt', 'x')).status).toBe(423)
  })
})

describe('other methods and addresses', () => {
  it('are refused with the allowed ones', async () => {
    for (const method of ['POST', 'PATCH', 'TRACE', 'REPORT', 'SEARCH']) {
      const { status, headers } = await dav.send(method, 'a.txt')
      expect([method, status]).toEqual([method, 405])
      expect(headers.allow).toContain('PROPFIND')
    }
  })

  it('of the API are not served by WebDAV methods', async () => {
    for (const path of ['/api/', '/api/items', '/dave', '/davx/']) {
      expect((await dav.send('PROPFIND', path, { headers: { depth: '0' } })).status).toBe(404)
    }
  })
})

describe('cross-origin requests', () => {
  const preflight = (origin: string) =>
    app.app.inject({
      method: 'OPTIONS',
      url: '/dav/a.txt',
      headers: {
        origin,
        'access-control-request-method': 'PROPFIND',
        'access-control-request-headers': 'authorization',
      },
    })

  it('are allowed to the configured origins', async () => {
    for (const origin of ['https://app.example.com', 'app://obsidian.md']) {
      const { headers } = await preflight(origin)
      expect(headers['access-control-allow-origin']).toBe(origin)
      expect(headers['access-control-allow-methods']).toContain('PROPFIND')
      expect(headers['access-control-allow-headers']).toContain('authorization')
      const refused = await app.app.inject({ method: 'GET', url: '/dav/a.txt', headers: { origin } })
      expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([401, origin])
    }
  })

  it('get no permission from any other origin', async () => {
    for (const origin of ['https://evil.example', 'https://app.example.com.evil.example', 'null']) {
      const { headers } = await preflight(origin)
      expect(headers).not.toHaveProperty('access-control-allow-origin')
      expect(headers.vary).toContain('Origin')
    }
  })
})
