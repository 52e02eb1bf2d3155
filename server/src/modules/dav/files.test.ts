import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { listVersions } from '@alcove/contract/versions'
import { beforeEach, describe, expect, it } from 'vitest'
import { createDavClient, type DavClient } from '../../testing/clients/dav-client.ts'
import {
  app,
  listIn,
  namesIn,
  setUpDrive,
  switchToNewUser,
  trashNames,
  usedBytes,
  user,
} from '../../testing/factories/drive.ts'

setUpDrive()
let dav: DavClient
beforeEach(async () => {
  dav = await createDavClient(app.app, user)
})

/** Opens a connection, sends text, and returns what the server has sent so far. */
async function openSocket() {
  if (!app.app.server.listening) await app.app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.app.server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.on('data', (bytes) => (received += bytes.toString('latin1'))).on('error', () => {})
  await once(socket, 'connect')
  return { socket, received: () => received }
}

const head = (path: string, headers: Record<string, string | number>) =>
  [`PUT /dav/${path} HTTP/1.1`, 'host: localhost', `authorization: ${dav.authorization}`]
    .concat(Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
    .join('\r\n')
    .concat('\r\n\r\n')

describe('PUT', () => {
  it('creates a file with its date and returns its entity tag', async () => {
    const { status, headers } = await dav.put('a.txt', 'hello', { 'x-oc-mtime': '1588748889' })
    expect({ status, accepted: headers['x-oc-mtime'] }).toEqual({ status: 201, accepted: 'accepted' })
    const file = await dav.send('GET', 'a.txt')
    expect(file).toMatchObject({ status: 200, text: 'hello' })
    expect(file.headers.etag).toBe(headers.etag)
    expect(file.headers['last-modified']).toBe('Wed, 06 May 2020 07:08:09 GMT')
  })

  it('makes a version of the file that it replaces', async () => {
    await dav.put('a.txt', 'one')
    expect((await dav.put('a.txt', 'two')).status).toBe(204)
    const [file] = await listIn()
    const { versions } = (await user.client.call(listVersions, { id: file?.id as string })).body
    expect(versions.map(({ size }) => size)).toEqual([3])
    expect((await dav.send('GET', 'a.txt')).text).toBe('two')
    expect(await usedBytes()).toBe(6)
  })

  it('refuses a file whose folder is missing or a file, and to replace a folder', async () => {
    await dav.send('MKCOL', 'folder')
    await dav.put('file', 'x')
    expect((await dav.put('missing/a.txt', 'x')).status).toBe(409)
    expect((await dav.put('file/a.txt', 'x')).status).toBe(409)
    expect((await dav.put('folder', 'x')).status).toBe(405)
    expect((await dav.put('', 'x')).status).toBe(405)
  })

  it('refuses a part of a file', async () => {
    await dav.put('a.txt', 'whole')
    expect((await dav.put('a.txt', 'x', { 'content-range': 'bytes 0-0/5' })).status).toBe(400)
    expect((await dav.send('GET', 'a.txt')).text).toBe('whole')
  })

  it('stores nothing if a checksum differs, and accepts the right one', async () => {
    const sha1 = 'a9993e364706816aba3e25717850c26c9cd0d89d'
    expect((await dav.put('a.txt', 'abd', { 'oc-checksum': `SHA1:${sha1}` })).status).toBe(400)
    expect(await namesIn()).toEqual([])
    expect((await dav.put('a.txt', 'abc', { 'oc-checksum': `SHA1:${sha1}` })).status).toBe(201)
    expect((await dav.put('a.txt', 'abc', { 'oc-checksum': 'SHA1:xyz' })).status).toBe(400)
    expect((await dav.send('HEAD', 'a.txt')).headers['oc-checksum']).toBe(`SHA1:${sha1}`)
  })

  it('accepts any content type, even a malformed one', async () => {
    for (const type of ['application/json', 'text/xml', 'multipart/form-data', 'nonsense;;=']) {
      const body = `{"not": "parsed" ${type}`
      expect((await dav.put('a', body, { 'content-type': type })).status).toBeLessThan(300)
      expect((await dav.send('GET', 'a')).text).toBe(body)
    }
  })

  it('lets If-Match and If-None-Match prevent lost updates', async () => {
    const first = (await dav.put('a.txt', 'one', { 'if-none-match': '*' })).headers.etag as string
    expect((await dav.put('a.txt', 'two', { 'if-none-match': '*' })).status).toBe(412)
    const second = (await dav.put('a.txt', 'two', { 'if-match': first })).headers.etag as string
    expect(second).not.toBe(first)
    expect((await dav.put('a.txt', 'three', { 'if-match': first })).status).toBe(412)
    expect((await dav.put('b.txt', 'x', { 'if-match': '*' })).status).toBe(412)
    expect((await dav.put('a.txt', 'three', { if: `(["wrong"])` })).status).toBe(412)
    expect((await dav.put('a.txt', 'three', { if: `([${second}])` })).status).toBe(204)
  })

  it('lets one of ten writers with the same If-Match win', async () => {
    const etag = (await dav.put('a.txt', 'one')).headers.etag as string
    const writes = Array.from({ length: 10 }, (_unused, n) => dav.put('a.txt', `writer ${n}`, { 'if-match': etag }))
    const statuses = (await Promise.all(writes)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(statuses.filter((status) => status === 412)).toHaveLength(9)
  })

  it('keeps the old file if the connection breaks', async () => {
    await dav.put('a.bin', 'old')
    const { socket } = await openSocket()
    socket.write(head('a.bin', { 'content-length': 1_000_000 }))
    socket.write(randomBytes(300_000))
    await new Promise((resolve) => setTimeout(resolve, 200))
    socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect((await dav.send('GET', 'a.bin')).text).toBe('old')
    await expect.poll(usedBytes).toBe(3)
  })
})

describe('100 Continue for a PUT', () => {
  const desktopClient = { 'user-agent': 'Mozilla/5.0 (Linux) mirall/3.7.3git (Nextcloud, debian-6.1)' }

  it('lets the client send the body after the checks', async () => {
    const { socket, received } = await openSocket()
    socket.write(head('a.txt', { 'content-length': 5, expect: '100-continue' }))
    await expect.poll(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
    socket.write('hello')
    await expect.poll(received).toMatch(/HTTP\/1\.1 201 Created/)
    socket.destroy()
  })

  it('lets a desktop client send the body that its system holds back until the headers are acknowledged', async () => {
    const { socket, received } = await openSocket()
    socket.write(head('a.txt', { 'content-length': 5, ...desktopClient }))
    await expect.poll(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
    socket.write('hello')
    await expect.poll(received).toMatch(/HTTP\/1\.1 201 Created/)
    socket.destroy()
  })

  it('sends it to nobody who has sent a body, is a proxy or is another client that did not ask', async () => {
    for (const request of [
      `${head('a.txt', { 'content-length': 5, ...desktopClient })}hello`,
      head('a.txt', { 'content-length': 0, ...desktopClient }),
      head('a.txt', { 'content-length': 5, 'x-forwarded-for': '203.0.113.7', ...desktopClient }),
      head('a.txt', { 'content-length': 5, 'user-agent': 'rclone/v1.60.1' }),
    ]) {
      const { socket, received } = await openSocket()
      socket.write(request)
      if (request.endsWith('\r\n\r\n') && !request.includes('content-length: 0')) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        socket.write('hello')
      }
      await expect.poll(received).toMatch(/HTTP\/1\.1 20[14] /)
      expect(received()).not.toContain('100 Continue')
      socket.destroy()
    }
  })

  it('refuses a file that does not fit before its body, and ends the connection', async () => {
    await switchToNewUser({ allocatedBytes: 1000 })
    dav = await createDavClient(app.app, user)
    await dav.put('locked.txt', 'x')
    await dav.lock('locked.txt')
    const cases = [
      ['a.txt', 1001, 507],
      ['missing/a.txt', 5, 409],
      ['locked.txt', 5, 423],
    ] as const
    for (const [path, length, status] of cases) {
      const { socket, received } = await openSocket()
      socket.write(head(path, { 'content-length': length, expect: '100-continue' }))
      await once(socket, 'close')
      expect(received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    }
    expect(await namesIn()).toEqual(['locked.txt'])
  })

  it('refuses a small file that does not fit before its body, also from a client that does not ask', async () => {
    await switchToNewUser({ allocatedBytes: 1000 })
    dav = await createDavClient(app.app, user)
    const { socket, received } = await openSocket()
    socket.write(head('a.txt', { 'content-length': 1001 }))
    await expect.poll(received).toMatch(/^HTTP\/1\.1 507 /)
    socket.destroy()
    expect(await namesIn()).toEqual([])
  })

  it('still lets clients of the API send their bodies at once', async () => {
    const { socket, received } = await openSocket()
    socket.write(
      'POST /api/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n',
    )
    await expect.poll(received).toMatch(/^HTTP\/1\.1 100 Continue/)
    socket.write('{}')
    await expect.poll(received).toMatch(/HTTP\/1\.1 400/)
    socket.destroy()
  })
})

describe('GET and HEAD', () => {
  it('send ranges and answer conditions', async () => {
    const { headers } = await dav.put('a.txt', 'hello world')
    expect(await dav.send('GET', 'a.txt', { headers: { range: 'bytes=6-' } })).toMatchObject({
      status: 206,
      text: 'world',
    })
    expect((await dav.send('GET', 'a.txt', { headers: { range: 'bytes=99-' } })).status).toBe(416)
    expect((await dav.send('GET', 'a.txt', { headers: { 'if-none-match': headers.etag as string } })).status).toBe(304)
    expect((await dav.send('GET', 'a.txt', { headers: { 'if-match': '"other"' } })).status).toBe(412)
    const whole = await dav.send('HEAD', 'a.txt')
    expect(whole).toMatchObject({ status: 200, text: '' })
    expect(whole.headers['content-length']).toBe('11')
  })

  it('refuse folders with the allowed methods', async () => {
    const { status, headers } = await dav.send('GET', '')
    expect(status).toBe(405)
    expect(headers.allow).toContain('PROPFIND')
  })
})

describe('MKCOL', () => {
  it('creates a folder that the web shows', async () => {
    expect((await dav.send('MKCOL', 'Photos/')).status).toBe(201)
    expect((await dav.send('MKCOL', 'Photos/2024')).status).toBe(201)
    expect(await namesIn()).toEqual(['Photos'])
  })

  it('refuses a name that is taken, a missing parent and a body', async () => {
    await dav.send('MKCOL', 'a')
    expect((await dav.send('MKCOL', 'a')).status).toBe(405)
    expect((await dav.send('MKCOL', '')).status).toBe(405)
    expect((await dav.send('MKCOL', 'missing/b')).status).toBe(409)
    expect((await dav.send('MKCOL', 'b', { body: '<x/>' })).status).toBe(415)
  })

  it('lets one of ten simultaneous requests create the folder', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => dav.send('MKCOL', 'same')))
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(405)])
  })
})

describe('DELETE', () => {
  it('moves files and folders to the trash', async () => {
    await dav.send('MKCOL', 'folder')
    await dav.put('folder/a.txt', 'x')
    await dav.put('b.txt', 'x')
    expect((await dav.send('DELETE', 'folder')).status).toBe(204)
    expect((await dav.send('DELETE', 'b.txt')).status).toBe(204)
    expect(await trashNames()).toEqual({ files: ['b.txt'], folders: ['folder'] })
    expect((await dav.send('DELETE', 'b.txt')).status).toBe(404)
  })

  it('refuses the root, a shallow deletion and an address with a fragment', async () => {
    await dav.send('MKCOL', 'folder')
    expect((await dav.send('DELETE', '')).status).toBe(403)
    expect((await dav.send('DELETE', 'folder', { headers: { depth: '0' } })).status).toBe(400)
    expect((await dav.send('DELETE', 'folder', { headers: { 'if-match': '"x"' } })).status).toBe(412)
    expect(await namesIn()).toEqual(['folder'])
  })
})
