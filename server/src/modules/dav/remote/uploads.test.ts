import { createHash, randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { MEBIBYTE } from '@alcove/contract/limits'
import { listVersions } from '@alcove/contract/versions'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../platform/db/database.ts'
import { createDavClient, type DavClient } from '../../../testing/clients/dav-client.ts'
import {
  app,
  download,
  listIn,
  namesIn,
  readStorage,
  setUpDrive,
  switchToNewUser,
  user,
} from '../../../testing/factories/drive.ts'
import { findUnusedBytes } from '../../storage/sweep-blobs.ts'
import { sweepUploads } from '../../uploads/index.ts'
import { discardUpload } from '../../uploads/unfinished-uploads.ts'

setUpDrive()
let dav: DavClient
let uploads: string
let files: string
beforeEach(useNewPassword)

async function useNewPassword(): Promise<void> {
  dav = await createDavClient(app.app, user)
  uploads = `/remote.php/dav/uploads/${user.email}`
  files = `/remote.php/dav/files/${user.email}`
}

const statusOf = async (method: string, path: string, headers = {}, body?: string | Buffer) =>
  (await dav.send(method, uploads + path, { headers, ...(body !== undefined && { body }) })).status
const begin = (name = 'u', headers = {}) => statusOf('MKCOL', `/${name}`, headers)
const send = (chunk: string, body: string | Buffer, headers = {}) => statusOf('PUT', `/u/${chunk}`, headers, body)
const finish = (to: string, headers = {}) =>
  dav.send('MOVE', `${uploads}/u/.file`, { headers: { destination: `${files}/${to}`, ...headers } })
const received = async () => {
  const [, ...chunks] = await dav.propfind(`${uploads}/u`, '1')
  return chunks.map(({ href, props }) => `${href.replace(/^.*\//, '')} ${props.getcontentlength?.value}`)
}

describe('an upload in chunks', () => {
  it('makes a file of chunks of any sizes, with a date and checksums, and tells its id', async () => {
    expect(await begin('u', { 'oc-total-length': '11' })).toBe(201)
    for (const [chunk, text] of Object.entries({ '00001': 'hel', '00002': 'l', '00003': 'o world' })) {
      expect(await send(chunk, text, { destination: `${files}/a.txt` })).toBe(201)
    }
    expect(await received()).toEqual(['0000000000000001 3', '0000000000000002 1', '0000000000000003 7'])
    const sha1 = createHash('sha1').update('hello world').digest('hex')
    const finished = await finish('a.txt', {
      ...{ 'oc-total-length': '11', 'x-oc-mtime': '1500000000', 'oc-checksum': `SHA1:${sha1}` },
    })
    expect(finished.status).toBe(201)
    expect(finished.headers).toMatchObject({ 'x-oc-mtime': 'accepted', 'oc-fileid': expect.stringMatching(/^\d+oc/) })
    expect((await download('a.txt')).toString()).toBe('hello world')
    const { headers } = await dav.send('GET', `${files}/a.txt`)
    expect(headers).toMatchObject({ etag: finished.headers['oc-etag'], 'oc-checksum': `SHA1:${sha1}` })
    expect(headers['last-modified']).toBe('Fri, 14 Jul 2017 02:40:00 GMT')
    expect(await statusOf('PROPFIND', '/u')).toBe(404)
    expect(await readStorage()).toEqual({ used_bytes: 11, reserved_bytes: 0 })
  })

  it('joins small chunks between large ones', async () => {
    const sizes = [6, 1, 6, 6, 2, 2, 2, 7, 1]
    const chunks = sizes.map((size) => randomBytes(size * MEBIBYTE + 1))
    await begin()
    for (const [index, chunk] of chunks.entries()) expect(await send(`${index}`.padStart(5, '0'), chunk)).toBe(201)
    expect((await finish('large.bin')).status).toBe(201)
    expect((await download('large.bin')).equals(Buffer.concat(chunks))).toBe(true)
  })

  it('understands chunks that are named by their ranges or offsets', async () => {
    await begin()
    expect(await send('000000000000000-000000000000002', 'abc')).toBe(201)
    expect(await send('000000000000004-000000000000006', 'xyz')).toBe(409)
    expect(await send('000000000000003-000000000000005', 'def')).toBe(201)
    expect(await send('0000000000000006', 'ghi', { 'oc-chunk-offset': '6' })).toBe(201)
    await finish('a.txt')
    expect((await download('a.txt')).toString()).toBe('abcdefghi')
  })

  it('can be empty', async () => {
    await begin('u', { 'oc-total-length': '0' })
    expect((await finish('empty.txt')).status).toBe(201)
    expect((await download('empty.txt')).toString()).toBe('')
  })

  it('replaces a file only if the conditions are met, and keeps the old bytes as a version', async () => {
    const { headers } = await dav.put(`${files}/a.txt`, 'old')
    await begin()
    await send('1', 'new')
    expect((await finish('a.txt', { overwrite: 'F' })).status).toBe(412)
    expect((await finish('a.txt', { if: `<${files}/a.txt> (["wrong"])` })).status).toBe(412)
    expect((await finish('a.txt', { if: `<${files}/a.txt> ([${headers.etag}])` })).status).toBe(204)
    expect((await download('a.txt')).toString()).toBe('new')
    const [file] = await listIn()
    expect((await user.client.call(listVersions, { id: file?.id as string })).body.versions).toHaveLength(1)
  })

  it('takes a chunk again, and refuses those that are out of order, too long or too many', async () => {
    await begin('u', { 'oc-total-length': '6' })
    await send('1', 'abc')
    expect(await send('2', 'abcdef')).toBe(413)
    await send('2', 'wro')
    expect(await send('0', 'x')).toBe(409)
    expect(await send('1', 'longer')).toBe(409)
    expect(await send('1', 'ab')).toBe(409)
    expect(await statusOf('DELETE', '/u/1')).toBe(409)
    expect(await send('2', 'de')).toBe(201)
    expect((await finish('a.txt')).status).toBe(400)
    expect(await statusOf('DELETE', '/u/2')).toBe(204)
    expect(await received()).toEqual(['0000000000000001 3'])
    expect(await send('1', 'ABC')).toBe(201)
    expect(await send('2', 'def')).toBe(201)
    expect((await finish('a.txt')).status).toBe(201)
    expect((await download('a.txt')).toString()).toBe('ABCdef')
  })

  it('puts chunks that arrive in any order at the same time into their order', async () => {
    await begin()
    const chunks = Array.from({ length: 12 }, (_, index) => `chunk ${index};`)
    const backwards = chunks.map((chunk, index) => [String(index + 1), chunk] as const).reverse()
    const statuses = await Promise.all(backwards.map(([number, chunk]) => send(number, chunk)))
    expect(new Set(statuses)).toEqual(new Set([201]))
    await finish('a.txt')
    expect((await download('a.txt')).toString()).toBe(chunks.join(''))
  })

  it('refuses a chunk if the one before it doesn’t come, or if too many wait', async () => {
    const early = async (name: string, chunk: string, headers = {}) => {
      await begin(name)
      await statusOf('PUT', `/${name}/1`, {}, 'abc')
      return statusOf('PUT', `/${name}/${chunk}`, headers, 'x')
    }
    const many = async () => {
      await begin('many')
      return Promise.all(Array.from({ length: 20 }, (_, index) => statusOf('PUT', `/many/${index + 5}`, {}, 'x')))
    }
    const [gap, byOffset, byName, all] = await Promise.all([
      early('gap', '3'),
      early('offset', '2', { 'oc-chunk-offset': '4' }),
      early('name', '0000000000000004'),
      many(),
    ])
    expect([gap, byOffset, byName, ...all]).toEqual(Array.from({ length: 23 }, () => 409))
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 9 })
  })

  it('stays as it is if its checksum is wrong or its destination is missing', async () => {
    await begin()
    await send('1', 'abc')
    expect((await finish('a.txt', { 'oc-checksum': `SHA1:${'0'.repeat(40)}` })).status).toBe(400)
    expect((await finish('missing/a.txt')).status).toBe(409)
    expect((await finish('a.txt', { destination: '/remote.php/dav/files/other@example.com/a.txt' })).status).toBe(403)
    expect(await namesIn()).toEqual([])
    expect((await finish('a.txt')).status).toBe(201)
  })

  it('can go on after its end was refused while it was empty', async () => {
    await begin()
    expect((await finish('a.txt', { 'if-match': '"wrong"' })).status).toBe(412)
    expect((await finish('a.txt', { 'oc-checksum': `SHA1:${'0'.repeat(40)}` })).status).toBe(400)
    await send('1', 'x')
    expect((await finish('a.txt')).status).toBe(201)
    expect((await download('a.txt')).toString()).toBe('x')
  })

  it('misses a chunk that broke off when it was sent again, until it has arrived', async () => {
    await begin()
    for (const [chunk, text] of Object.entries({ 1: 'abc', 2: 'def' })) await send(chunk, text)
    expect(await send('1', 'A', { 'content-length': '3' })).toBe(400)
    expect(await received()).toEqual(['0000000000000002 3'])
    expect((await finish('a.txt')).status).toBe(409)
    expect((await finish('a.txt', { 'oc-total-length': '3' })).status).toBe(409)
    expect(await send('2', 'de')).toBe(201)
    expect(await send('3', 'f')).toBe(201)
    expect(await send('1', 'AB')).toBe(409)
    expect(await send('1', 'ABC')).toBe(201)
    expect((await finish('a.txt', { 'oc-total-length': '6' })).status).toBe(201)
    expect((await download('a.txt')).toString()).toBe('ABCdef')
    expect(await readStorage()).toEqual({ used_bytes: 6, reserved_bytes: 0 })
  })

  it('is refused before its bytes if they can’t fit', async () => {
    await switchToNewUser({ allocatedBytes: 1000 })
    await useNewPassword()
    expect(await begin('u', { 'oc-total-length': '1001' })).toBe(507)
    expect(await begin('u', { 'oc-total-length': '1001', destination: `${files}/a.bin` })).toBe(507)
    expect(await begin()).toBe(201)
    expect(await send('1', randomBytes(600))).toBe(201)
    expect(await send('2', randomBytes(600))).toBe(507)
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 600 })
  })

  it('gives its space back when it is given up, or left alone for a day', async () => {
    await begin('u', { 'oc-total-length': '1000' })
    await send('1', 'abc')
    expect(await statusOf('DELETE', '/u')).toBe(204)
    await begin()
    await send('1', 'abc')
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 3 })
    app.clock.advance(25 * 3_600_000)
    await sweepUploads(app.services)
    await app.services.jobs.runDue()
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 0 })
    const unused: string[] = []
    await findUnusedBytes(app.services, (name) => unused.push(name), { withYoung: true })
    expect(unused).toEqual([])
  })

  it('belongs to its user, and to the folder of an app password', async () => {
    await begin()
    await send('1', 'abc')
    const owner = { dav, uploads }
    await switchToNewUser({})
    await useNewPassword()
    expect(await statusOf('PROPFIND', '/u')).toBe(404)
    expect((await dav.send('PUT', `${owner.uploads}/u/2`, { body: 'x' })).status).toBe(404)
    expect(await begin()).toBe(201)
    expect(await received()).toEqual([])
    const uploader = await createDavClient(app.app, user, { scope: 'upload' })
    await dav.put(`${files}/a.txt`, 'old')
    dav = uploader
    await send('1', 'new')
    expect((await finish('a.txt')).status).toBe(403)
    expect((await finish('b.txt')).status).toBe(201)
    expect((await download('a.txt')).toString()).toBe('old')
  })

  it('refuses hostile names and addresses', async () => {
    await begin()
    for (const name of ['x', '-1', '1e3', '9'.repeat(16), '9'.repeat(300), '1-', '%00', '.file', '1%2F2']) {
      expect([400, 404]).toContain(await send(name, 'x'))
    }
    expect(await statusOf('MKCOL', '')).toBe(404)
    expect(await statusOf('MKCOL', '/a/b')).toBe(409)
    expect(await statusOf('MKCOL', '/a/b/c')).toBe(404)
    expect(await statusOf('MOVE', '/u/1', { destination: `${files}/a` })).toBe(403)
    expect(await statusOf('MOVE', '/none/.file', { destination: `${files}/a` })).toBe(404)
    expect(await begin()).toBe(409)
    expect(await statusOf('PROPFIND', '')).toBe(207)
    expect(await statusOf('GET', '/u/1')).toBe(404)
  })
})

describe('a chunk whose upload changes while it arrives', () => {
  /** Begins to send a chunk of one byte, and returns how to end it. */
  function sendSlowly(chunk: string): () => Promise<number> {
    const payload = new PassThrough()
    const response = app.app.inject({
      method: 'PUT',
      url: `${uploads}/u/${chunk}`,
      headers: { authorization: dav.authorization, 'content-length': '1' },
      payload,
    })
    return async () => {
      payload.end('y')
      return (await response).statusCode
    }
  }

  it('is in its place, and what would change the upload waits', async () => {
    await begin()
    await send('1', 'chunk')
    await send('2', 'x')
    const end = sendSlowly('2')
    await expect.poll(received).toEqual(['0000000000000001 5'])
    const deletion = statusOf('DELETE', '/u/1')
    const moved = finish('a.txt')
    expect(await end()).toBe(201)
    expect((await moved).status).toBe(201)
    // Both have waited, and either may be first: chunks can't be deleted, and afterwards there is none.
    expect([404, 409]).toContain(await deletion)
    expect((await download('a.txt')).toString()).toBe('chunky')
    const [file] = await listIn()
    const { blob_key } = await app.services.db
      .selectFrom('items')
      .select('blob_key')
      .where('id', '=', file?.id as string)
      .executeTakeFirstOrThrow()
    expect(await app.services.blobs.sizeOf(blob_key as string)).toBe(6)
  })

  it('is refused if the upload has begun again, or has lost a chunk, at another server', async () => {
    const { db } = app.services
    const lastUpload = (tx: Database = db) =>
      tx.selectFrom('uploads').selectAll().where('owner_id', '=', user.id).executeTakeFirstOrThrow()
    await begin()
    await send('1', 'chunk')
    await send('2', 'x')
    let end = sendSlowly('2')
    await expect.poll(received).toEqual(['0000000000000001 5'])
    await db
      .deleteFrom('upload_chunks')
      .where('upload_id', '=', (await lastUpload()).id)
      .execute()
    expect(await end()).toBe(409)
    await send('1', 'x')
    end = sendSlowly('1')
    await expect.poll(received).toEqual([])
    await db.transaction().execute(async (tx) => discardUpload(app.services, tx, await lastUpload(tx)))
    await begin()
    expect(await end()).toBe(409)
    expect(await received()).toEqual([])
    await app.services.jobs.runDue()
  })
})

describe('the end of an upload whose response was lost', () => {
  async function uploadNew(headers = {}) {
    await begin()
    await send('1', 'new')
    return finish('a.txt', headers)
  }
  const versionsOf = async () => {
    const [file] = await listIn()
    return (await user.client.call(listVersions, { id: file?.id as string })).body.versions.length
  }

  it('can be repeated, with the same result, also if it had conditions', async () => {
    const { headers } = await dav.put(`${files}/a.txt`, 'old')
    const conditions = { if: `<${files}/a.txt> ([${headers.etag}])`, 'oc-total-length': '3' }
    const first = await uploadNew(conditions)
    app.clock.advance(23 * 3_600_000)
    await sweepUploads(app.services)
    const again = await finish('a.txt', conditions)
    expect({ first: first.status, again: again.status }).toEqual({ first: 204, again: 204 })
    expect(again.headers['oc-fileid']).toBe(first.headers['oc-fileid'])
    expect(again.headers.etag).toBe(first.headers.etag)
    expect((await download('a.txt')).toString()).toBe('new')
    expect(await versionsOf()).toBe(1)
    expect(await readStorage()).toEqual({ used_bytes: 6, reserved_bytes: 0 })
  })

  it('doesn’t undo what has happened to the file since', async () => {
    const first = await uploadNew()
    const { headers } = await dav.put(`${files}/a.txt`, 'newer')
    const again = await finish('a.txt')
    expect(again).toMatchObject({ status: 204, headers: { etag: first.headers.etag } })
    expect(headers.etag).not.toBe(first.headers.etag)
    expect((await download('a.txt')).toString()).toBe('newer')
    expect(await versionsOf()).toBe(1)
    await dav.send('DELETE', `${files}/a.txt`)
    expect((await finish('a.txt')).status).toBe(204)
    expect(await namesIn()).toEqual([])
    await dav.send('DELETE', `/remote.php/dav/trashbin/${user.email}/trash`)
    expect((await finish('a.txt')).status).toBe(404)
  })

  it('makes one file if it is sent twice at the same time', async () => {
    await begin()
    await send('1', 'new')
    const statuses = (await Promise.all([finish('a.txt'), finish('a.txt'), finish('a.txt')])).map(
      ({ status }) => status,
    )
    expect(statuses.sort()).toEqual([201, 204, 204])
    expect(await versionsOf()).toBe(0)
  })

  it('is not found for another place, for another user, or after a day', async () => {
    await uploadNew()
    expect((await finish('b.txt')).status).toBe(404)
    const { dav: owner, files: to } = { dav, files }
    await switchToNewUser({})
    await useNewPassword()
    expect((await finish('a.txt')).status).toBe(404)
    app.clock.advance(25 * 3_600_000)
    await sweepUploads(app.services)
    const { status } = await owner.send('MOVE', `${to.replace('files', 'uploads')}/u/.file`, {
      headers: { destination: `${to}/a.txt` },
    })
    expect(status).toBe(404)
  })

  it('leaves nothing that could be continued, and its name can be used again', async () => {
    await uploadNew()
    for (const [method, path] of [
      ['PUT', '/u/1'],
      ['DELETE', '/u/1'],
      ['DELETE', '/u'],
      ['PROPFIND', '/u'],
    ] as const) {
      expect([method, await statusOf(method, path, {}, method === 'PUT' ? 'x' : '')]).toEqual([method, 404])
    }
    expect(await begin()).toBe(201)
    expect(await begin()).toBe(409)
    expect(await received()).toEqual([])
    await send('1', 'third')
    expect((await finish('b.txt')).status).toBe(201)
    expect((await download('b.txt')).toString()).toBe('third')
    expect((await download('a.txt')).toString()).toBe('new')
    const findUnused = async () => {
      const unused: string[] = []
      await findUnusedBytes(app.services, (name) => unused.push(name), { withYoung: true })
      return unused
    }
    // Bytes of uploads that an earlier sweep has discarded are removed in the background.
    await expect.poll(findUnused).toEqual([])
  })
})
