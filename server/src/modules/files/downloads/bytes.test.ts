import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { fetchFile, getDownloadUrl, getUserFile } from '@alcove/contract/bytes'
import { createFolder, trashFile } from '@alcove/contract/files'
import { DOWNLOAD_URL_TTL } from '@alcove/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readZip } from '../../../testing/clients/zip.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import type { TestUser } from '../../../testing/factories/users.ts'

let app: TestApp
let user: TestUser
const content = randomBytes(1_200_000)

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
})

function get(headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  return user.client.request({ method, url: '/api/user-files/a%20b.jpg', headers })
}

async function downloadFrom(url: string, headers: Record<string, string> = {}) {
  const { pathname, search } = new URL(url)
  return app.visitor.request({ method: 'GET', url: pathname + search, headers })
}

describe('downloading a file', () => {
  beforeEach(() => user.client.upload('a b.jpg', content))

  it('returns all bytes with type, length, file name and a sandbox policy', async () => {
    const response = await get()
    expect(response.status).toBe(200)
    expect(response.bytes.equals(content)).toBe(true)
    expect(response.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': '1200000',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline; filename="a b.jpg"; filename*=UTF-8''a%20b.jpg`,
    })
    expect(response.headers['content-security-policy']).toContain('sandbox')
    expect((await user.client.raw(fetchFile, { filename: 'a b.jpg' })).bytes.equals(content)).toBe(true)
  })

  it.each([
    ['bytes=0-9', 0, 9],
    ['bytes=1199990-', 1_199_990, 1_199_999],
    ['bytes=-10', 1_199_990, 1_199_999],
    ['bytes=500000-9999999', 500_000, 1_199_999],
    ['bytes=0-', 0, 1_199_999],
  ])('returns the requested part for the range %s', async (range, start, end) => {
    const response = await get({ range })
    expect(response.status).toBe(206)
    expect(response.headers['content-range']).toBe(`bytes ${start}-${end}/1200000`)
    expect(response.bytes.equals(content.subarray(start, end + 1))).toBe(true)
  })

  it.each(['bytes=5-2', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,5-6', 'bytes=-'])(
    'returns the whole file for the invalid or unsupported range %s',
    async (range) => {
      expect((await get({ range })).status).toBe(200)
    },
  )

  it('rejects a range beyond the end of the file and returns its size', async () => {
    for (const range of ['bytes=1200000-', 'bytes=-0']) {
      const response = await get({ range })
      expect(response.status).toBe(416)
      expect(response.headers['content-range']).toBe('bytes */1200000')
    }
  })

  it('returns 304 for a matching ETag, and a part only if If-Range matches', async () => {
    const etag = String((await get()).headers.etag)
    expect((await get({ 'if-none-match': etag })).status).toBe(304)
    expect((await get({ 'if-none-match': `W/${etag}, "x"` })).status).toBe(304)
    expect((await get({ 'if-none-match': '"x"' })).status).toBe(200)
    expect((await get({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206)
    expect((await get({ range: 'bytes=0-1', 'if-range': '"x"' })).status).toBe(200)
    await user.client.upload('a b.jpg', 'other', { onConflict: 'replace' })
    expect((await get({ 'if-none-match': etag })).status).toBe(200)
    const part = await get({ range: 'bytes=0-1', 'if-none-match': etag })
    expect(part.status).toBe(206)
    expect(part.headers).toMatchObject({ 'content-range': 'bytes 0-1/5', etag: expect.not.stringContaining(etag) })
    expect(part.bytes.toString()).toBe('ot')
  })

  it('returns headers without a body for HEAD', async () => {
    const response = await get({}, 'HEAD')
    expect(response.status).toBe(200)
    expect(response.headers['content-length']).toBe('1200000')
    expect(response.bytes.length).toBe(0)
  })

  it('encodes any file name in Content-Disposition', async () => {
    const name = 'ü "x"\\ 100%\u202e.txt'
    await user.client.upload(name, 'x')
    const response = await user.client.raw(getUserFile, { filename: name })
    expect(response.headers['content-disposition']).toBe(
      `inline; filename="_ _x__ 100__.txt"; filename*=UTF-8''${encodeURIComponent(name)}`,
    )
  })
})

describe('a download URL', () => {
  it('returns the bytes as an attachment without a session until the URL expires', async () => {
    const file = await user.client.upload('a.html', '<script>alert(1)</script>')
    const { url } = (await user.client.call(getDownloadUrl, { id: file.id })).body
    const response = await downloadFrom(url, { range: 'bytes=1-6' })
    expect(response.status).toBe(206)
    expect(response.bytes.toString()).toBe('script')
    expect(response.headers['content-disposition']).toMatch(/^attachment;/)
    app.clock.advance(DOWNLOAD_URL_TTL + 1)
    expect((await downloadFrom(url)).status).toBe(403)
  })

  it('rejects a modified download URL, and one whose item is in the trash', async () => {
    const [file, other] = [await user.client.upload('a', 'x'), await user.client.upload('b', 'x')]
    const { url } = (await user.client.call(getDownloadUrl, { id: file.id })).body
    expect((await downloadFrom(url.replace(file.id, other.id))).status).toBe(403)
    expect((await downloadFrom(url.replace(/signature=../, 'signature=__'))).status).toBe(403)
    expect((await downloadFrom(url.replace(/expires=\d/, 'expires=9'))).status).toBe(403)
    await user.client.call(trashFile, { id: file.id })
    expect((await downloadFrom(url)).status).toBe(404)
    const stranger = await app.createUser()
    expect((await stranger.client.call(getDownloadUrl, { id: other.id })).status).toBe(404)
  })

  it('returns a ZIP of all visible items for a folder', async () => {
    const trip = (await user.client.call(createFolder, { folderName: 'Trip ü' })).body
    await user.client.call(createFolder, { folderName: 'empty', parentFolderId: trip.id })
    await user.client.upload('a.bin', content, { folderId: trip.id })
    await user.client.upload('b.txt', 'bee', { folderId: trip.id, relativePath: 'day 1/b.txt' })
    const gone = await user.client.upload('gone', 'x', { folderId: trip.id })
    await user.client.call(trashFile, { id: gone.id })
    const { url } = (await user.client.call(getDownloadUrl, { id: trip.id })).body
    const response = await downloadFrom(url)
    expect(response.headers['content-type']).toBe('application/zip')
    expect(response.headers['content-disposition']).toContain(`filename*=UTF-8''Trip%20%C3%BC.zip`)
    const entries = await readZip(response.bytes)
    expect([...entries.keys()].sort()).toEqual([
      'Trip ü/',
      'Trip ü/a.bin',
      'Trip ü/day 1/',
      'Trip ü/day 1/b.txt',
      'Trip ü/empty/',
    ])
    expect(entries.get('Trip ü/a.bin')?.equals(content)).toBe(true)
    expect(entries.get('Trip ü/day 1/b.txt')?.toString()).toBe('bee')
  })
})

it('keeps serving requests after a client disconnects during a download', async () => {
  await user.client.upload('big', Buffer.alloc(30_000_000))
  const address = await app.app.listen({ port: 0, host: '127.0.0.1' })
  const response = await fetch(`${address}/api/user-files/big`, { headers: { authorization: `Bearer ${user.token}` } })
  const reader = Readable.fromWeb(response.body as never)
  await new Promise((resolve) => reader.once('data', resolve))
  reader.destroy()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect((await user.client.request({ method: 'GET', url: '/api/health' })).status).toBe(200)
})
