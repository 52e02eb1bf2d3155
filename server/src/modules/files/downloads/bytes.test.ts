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

describe('the bytes of a file', () => {
  beforeEach(() => user.client.upload('a b.jpg', content))

  it('come whole, with their type, name and length, and cannot run as a page', async () => {
    const answer = await get()
    expect(answer.status).toBe(200)
    expect(answer.bytes.equals(content)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': '1200000',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline; filename="a b.jpg"; filename*=UTF-8''a%20b.jpg`,
    })
    expect(answer.headers['content-security-policy']).toContain('sandbox')
    expect((await user.client.raw(fetchFile, { filename: 'a b.jpg' })).bytes.equals(content)).toBe(true)
  })

  it.each([
    ['bytes=0-9', 0, 9],
    ['bytes=1199990-', 1_199_990, 1_199_999],
    ['bytes=-10', 1_199_990, 1_199_999],
    ['bytes=500000-9999999', 500_000, 1_199_999],
    ['bytes=0-', 0, 1_199_999],
  ])('come in part for %s', async (range, start, end) => {
    const answer = await get({ range })
    expect(answer.status).toBe(206)
    expect(answer.headers['content-range']).toBe(`bytes ${start}-${end}/1200000`)
    expect(answer.bytes.equals(content.subarray(start, end + 1))).toBe(true)
  })

  it.each(['bytes=5-2', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,5-6', 'bytes=-'])('come whole for %s', async (range) => {
    expect((await get({ range })).status).toBe(200)
  })

  it('are refused beyond their end, with the size', async () => {
    for (const range of ['bytes=1200000-', 'bytes=-0']) {
      const answer = await get({ range })
      expect(answer.status).toBe(416)
      expect(answer.headers['content-range']).toBe('bytes */1200000')
    }
  })

  it('are not sent again to who has them, and a part only of the same bytes', async () => {
    const etag = String((await get()).headers.etag)
    expect((await get({ 'if-none-match': etag })).status).toBe(304)
    expect((await get({ 'if-none-match': `W/${etag}, "x"` })).status).toBe(304)
    expect((await get({ 'if-none-match': '"x"' })).status).toBe(200)
    expect((await get({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206)
    expect((await get({ range: 'bytes=0-1', 'if-range': '"x"' })).status).toBe(200)
    await user.client.upload('a b.jpg', 'other', { onConflict: 'replace' })
    expect((await get({ 'if-none-match': etag })).status).toBe(200)
  })

  it('are described without being sent for HEAD', async () => {
    const answer = await get({}, 'HEAD')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-length']).toBe('1200000')
    expect(answer.bytes.length).toBe(0)
  })

  it('carry any name in their disposition', async () => {
    const name = 'ü "x"\\ 100%\u202e.txt'
    await user.client.upload(name, 'x')
    const answer = await user.client.raw(getUserFile, { filename: name })
    expect(answer.headers['content-disposition']).toBe(
      `inline; filename="_ _x__ 100__.txt"; filename*=UTF-8''${encodeURIComponent(name)}`,
    )
  })
})

describe('a download address', () => {
  it('gives the bytes without a session, as something to be saved, for a quarter of an hour', async () => {
    const file = await user.client.upload('a.html', '<script>alert(1)</script>')
    const { url } = (await user.client.call(getDownloadUrl, { id: file.id })).body
    const answer = await downloadFrom(url, { range: 'bytes=1-6' })
    expect(answer.status).toBe(206)
    expect(answer.bytes.toString()).toBe('script')
    expect(answer.headers['content-disposition']).toMatch(/^attachment;/)
    app.clock.advance(DOWNLOAD_URL_TTL + 1)
    expect((await downloadFrom(url)).status).toBe(403)
  })

  it('is for its item alone, and ends with it', async () => {
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

  it('of a folder gives a ZIP of all that is visible in it', async () => {
    const trip = (await user.client.call(createFolder, { folderName: 'Trip ü' })).body
    await user.client.call(createFolder, { folderName: 'empty', parentFolderId: trip.id })
    await user.client.upload('a.bin', content, { folderId: trip.id })
    await user.client.upload('b.txt', 'bee', { folderId: trip.id, relativePath: 'day 1/b.txt' })
    const gone = await user.client.upload('gone', 'x', { folderId: trip.id })
    await user.client.call(trashFile, { id: gone.id })
    const { url } = (await user.client.call(getDownloadUrl, { id: trip.id })).body
    const answer = await downloadFrom(url)
    expect(answer.headers['content-type']).toBe('application/zip')
    expect(answer.headers['content-disposition']).toContain(`filename*=UTF-8''Trip%20%C3%BC.zip`)
    const entries = await readZip(answer.bytes)
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

it('a reader that goes away half-way leaves the server well', async () => {
  await user.client.upload('big', Buffer.alloc(30_000_000))
  const address = await app.app.listen({ port: 0, host: '127.0.0.1' })
  const response = await fetch(`${address}/api/user-files/big`, { headers: { authorization: `Bearer ${user.token}` } })
  const reader = Readable.fromWeb(response.body as never)
  await new Promise((resolve) => reader.once('data', resolve))
  reader.destroy()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect((await user.client.request({ method: 'GET', url: '/api/health' })).status).toBe(200)
})
