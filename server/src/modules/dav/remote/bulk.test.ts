import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { listVersions } from '@alcove/contract/versions'
import { beforeEach, describe, expect, it } from 'vitest'
import { createDavClient, type DavClient } from '../../../testing/clients/dav-client.ts'
import {
  app,
  download,
  listIn,
  makeFolder,
  namesIn,
  readStorage,
  setUpDrive,
  switchToNewUser,
  user,
} from '../../../testing/factories/drive.ts'

setUpDrive()
let dav: DavClient
beforeEach(async () => {
  dav = await createDavClient(app.app, user)
})

const URL = '/remote.php/dav/bulk'
const BOUNDARY = 'boundary_.oOo._Zm9v/YmFy+A=='
const TYPE = { 'content-type': `multipart/related; boundary="${BOUNDARY}"` }

interface SentPart {
  path: string
  body: string | Buffer
  headers?: Record<string, string>
}

const md5 = (body: string | Buffer) => createHash('md5').update(body).digest('hex')

/** Writes a body as Qt does. */
function multipart(parts: readonly SentPart[]): Buffer {
  const written = parts.flatMap(({ path, body, headers = {} }) => {
    const all = { 'X-File-Path': path, 'X-File-MD5': md5(body), 'Content-Length': Buffer.byteLength(body), ...headers }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    return [Buffer.from(`--${BOUNDARY}\r\n${lines.join('')}\r\n`), Buffer.from(body), Buffer.from('\r\n')]
  })
  return Buffer.concat([...written, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

interface Results {
  status: number
  results: Record<string, { error: boolean; message?: string; etag?: string; [name: string]: unknown }>
}

async function sendBody(body: Buffer, client = dav, headers = {}): Promise<Results> {
  const { status, text } = await client.send('POST', URL, { body, headers: { ...TYPE, ...headers } })
  return { status, results: text.startsWith('{') ? JSON.parse(text) : {} }
}
const send = (parts: readonly SentPart[], client = dav) => sendBody(multipart(parts), client)
const errorsOf = ({ results }: Results) =>
  Object.fromEntries(Object.entries(results).map(([path, { error }]) => [path, error]))

describe('a bulk upload', () => {
  it('stores files of any size with their dates, and tells their ids and entity tags', async () => {
    await makeFolder('ünter folder')
    const large = randomBytes(300_000)
    const parts = [
      { path: '/a.txt', body: 'hello', headers: { 'X-File-Mtime': '1500000000' } },
      { path: '/large.bin', body: large },
      { path: '/empty.txt', body: '' },
      { path: '/ünter folder/100% #1?.txt', body: `--${BOUNDARY}--\r\n` },
    ]
    const sent = await send(parts)
    expect(sent.status).toBe(200)
    expect(errorsOf(sent)).toEqual(Object.fromEntries(parts.map(({ path }) => [path, false])))
    for (const { path, body } of parts.slice(0, 3)) {
      expect((await download(path.slice(1))).equals(Buffer.from(body))).toBe(true)
    }
    const { headers } = await dav.send('GET', '/remote.php/webdav/a.txt')
    expect(headers['last-modified']).toBe('Fri, 14 Jul 2017 02:40:00 GMT')
    const result = sent.results['/a.txt']
    expect(result).toMatchObject({ 'X-OC-MTime': 'accepted', 'OC-ETag': result?.etag, etag: headers.etag })
    const body = `<propfind xmlns="DAV:"><prop><id xmlns="http://owncloud.org/ns"/></prop></propfind>`
    const [found] = await dav.propfind('/remote.php/webdav/a.txt', '0', body)
    expect(found?.props['{http://owncloud.org/ns}id']?.value).toBe(result?.['OC-FileID'])
    expect((await dav.send('GET', `ünter folder/100% #1?.txt`.split('/').map(encodeURIComponent).join('/'))).text).toBe(
      `--${BOUNDARY}--\r\n`,
    )
  })

  it('stores a hundred files, and replaces them when they are sent again', async () => {
    const parts = (label: string) =>
      Array.from({ length: 100 }, (_unused, index) => ({ path: `/file ${index}.txt`, body: `${label} ${index}` }))
    expect(Object.values(errorsOf(await send(parts('first'))))).toEqual(Array(100).fill(false))
    app.clock.advance(3_600_000)
    await Promise.all([send(parts('second')), send(parts('second'))])
    const files = await listIn()
    expect(files).toHaveLength(100)
    for (const { id } of files.slice(0, 3)) {
      expect((await user.client.call(listVersions, { id })).body.versions).toHaveLength(1)
    }
    expect((await download('file 99.txt')).toString()).toBe('second 99')
  })

  it('refuses single files as PUT does, and stores the others', async () => {
    await switchToNewUser({ allocatedBytes: 200_000 })
    dav = await createDavClient(app.app, user)
    await makeFolder('folder')
    await dav.put('locked.txt', 'locked')
    await dav.lock('locked.txt')
    const sent = await send([
      { path: '/missing/a.txt', body: 'x' },
      { path: '/folder', body: 'x' },
      { path: '/../b.txt', body: 'x' },
      { path: '/locked.txt', body: 'x' },
      { path: '/damaged.txt', body: 'x', headers: { 'X-File-MD5': md5('y') } },
      { path: '/too large.bin', body: randomBytes(250_000) },
      { path: '/stored.bin', body: randomBytes(150_000) },
      { path: '/stored.txt', body: 'stored' },
    ])
    expect(sent.status).toBe(200)
    expect(errorsOf(sent)).toEqual({
      '/missing/a.txt': true,
      '/folder': true,
      '/../b.txt': true,
      '/locked.txt': true,
      '/damaged.txt': true,
      '/too large.bin': true,
      '/stored.bin': false,
      '/stored.txt': false,
    })
    expect(sent.results['/missing/a.txt']?.message).toBe('The folder of this file does not exist.')
    expect(await namesIn()).toEqual(['folder', 'locked.txt', 'stored.bin', 'stored.txt'])
    expect(await readStorage()).toEqual({ used_bytes: 150_012, reserved_bytes: 0 })
  })

  it('replaces a file only if its conditions are met, unless the file already has these bytes', async () => {
    const etag = (await dav.put('a.txt', 'old')).headers.etag as string
    const change = (body: string, tag: string) => send([{ path: '/a.txt', body, headers: { 'If-Match': tag } }])
    expect(errorsOf(await change('new', '"wrong"'))).toEqual({ '/a.txt': true })
    expect(errorsOf(await change('new', etag))).toEqual({ '/a.txt': false })
    expect(errorsOf(await change('NEW', etag))).toEqual({ '/a.txt': true })
    const again = await change('new', etag)
    expect(errorsOf(again)).toEqual({ '/a.txt': false })
    expect(again.results['/a.txt']?.etag).toBe((await dav.send('GET', 'a.txt')).headers.etag)
    expect((await download('a.txt')).toString()).toBe('new')
  })

  it('keeps to the user, the scope and the folder of the app password', async () => {
    await dav.put('a.txt', 'old')
    const reader = await createDavClient(app.app, user, { scope: 'read' })
    expect((await send([{ path: '/b.txt', body: 'x' }], reader)).status).toBe(403)
    const uploader = await createDavClient(app.app, user, { scope: 'upload' })
    const sent = await send(
      ['/a.txt', '/new.txt'].map((path) => ({ path, body: 'x' })),
      uploader,
    )
    expect(errorsOf(sent)).toEqual({ '/a.txt': true, '/new.txt': false })
    const own = await send([{ path: '/a.txt', body: 'old', headers: { 'If-Match': '"wrong"' } }], uploader)
    expect(errorsOf(own)).toEqual({ '/a.txt': true })
    const folder = await makeFolder('bound')
    const bound = await createDavClient(app.app, user, { folderId: folder.id })
    expect(errorsOf(await send([{ path: '/inside.txt', body: 'x' }], bound))).toEqual({ '/inside.txt': false })
    expect(await namesIn(folder.id)).toEqual(['inside.txt'])
    expect((await download('a.txt')).toString()).toBe('old')
    const anonymous = { headers: { ...TYPE, authorization: '' }, body: multipart([]) }
    expect((await dav.send('POST', URL, anonymous)).status).toBe(401)
  })

  it('tells what it has stored if the body is malformed behind it', async () => {
    const whole = multipart([
      { path: '/a.txt', body: 'stored' },
      { path: '/b.txt', body: 'x'.repeat(100_000) },
    ])
    for (const body of [
      whole.subarray(0, whole.length - 1000),
      Buffer.from(whole.toString('latin1').replace('Content-Length: 100000', 'Content-Length: 99999'), 'latin1'),
    ]) {
      const sent = await sendBody(body)
      expect(sent.status).toBe(400)
      expect(sent.results['/a.txt']).toMatchObject({ error: false })
    }
  })

  it('refuses malformed bodies without an error of the server, and stores nothing', async () => {
    const part = (headers: string) => Buffer.from(`--${BOUNDARY}\r\n${headers}\r\n\r\nabc\r\n--${BOUNDARY}--\r\n`)
    const twice = { path: '/a.txt', body: randomBytes(100_000), headers: { 'X-File-MD5': md5('y') } }
    const many = Array.from({ length: 501 }, (_unused, index) => ({ path: `/missing/${index}`, body: '' }))
    for (const body of [
      Buffer.alloc(0),
      randomBytes(50_000),
      Buffer.from(`--${BOUNDARY}`),
      part('X-File-Path: /a.txt'),
      part('Content-Length: 3'),
      part('Content-Length: -3\r\nX-File-Path: /a.txt'),
      part('Content-Length: 99999999999999999999\r\nX-File-Path: /a.txt'),
      part('Content-Length: 3\r\nX-File-Path'),
      part(`Content-Length: 3\r\nX-File-Path: /${'a'.repeat(20_000)}`),
      Buffer.concat([Buffer.from(`--${BOUNDARY}\r\nX-File-Path: /`), Buffer.from([0xff]), part('Content-Length: 3')]),
      multipart([twice, twice]),
      multipart(many),
    ]) {
      expect((await sendBody(body)).status).toBe(400)
    }
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'multipart/related']) {
      expect((await sendBody(multipart([]), dav, { 'content-type': type })).status).toBe(415)
    }
    expect((await dav.send('POST', `${URL}/x`, { body: multipart([]), headers: TYPE })).status).toBe(404)
    expect((await dav.send('PUT', URL)).status).toBe(404)
    expect(await namesIn()).toEqual([])
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 0 })
  })

  it('refuses too many bytes before they arrive, and keeps what arrived before the connection broke', async () => {
    if (!app.app.server.listening) await app.app.listen({ port: 0, host: '127.0.0.1' })
    const open = async (length: number) => {
      const socket = connect((app.app.server.address() as AddressInfo).port, '127.0.0.1')
      let received = ''
      socket.on('data', (bytes) => (received += bytes.toString('latin1'))).on('error', () => {})
      await once(socket, 'connect')
      const lines = [`POST ${URL} HTTP/1.1`, 'host: localhost', `authorization: ${dav.authorization}`]
      const headers = [`content-type: ${TYPE['content-type']}`, `content-length: ${length}`]
      socket.write(`${[...lines, ...headers].join('\r\n')}\r\n\r\n`)
      return { socket, received: () => received }
    }
    const large = await open(600_000_000)
    await expect.poll(large.received).toMatch(/^HTTP\/1\.1 413 /)
    large.socket.destroy()
    const body = multipart([
      { path: '/a.txt', body: 'stored' },
      { path: '/b.txt', body: randomBytes(500_000) },
    ])
    const broken = await open(body.length)
    broken.socket.write(body.subarray(0, 300_000))
    await expect.poll(() => namesIn()).toEqual(['a.txt'])
    broken.socket.destroy()
    await expect.poll(readStorage).toEqual({ used_bytes: 6, reserved_bytes: 0 })
  })
})
