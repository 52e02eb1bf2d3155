import { randomBytes, randomUUID } from 'node:crypto'
import { getUserFile } from '@alcove/contract/bytes'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isOnS3 } from '../../../testing/engines/s3-engine.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import type { TestUser } from '../../../testing/factories/users.ts'

const FILE = isOnS3
  ? /^\/_s3\/[a-z0-9-]+\/blobs\/[0-9a-f-]{36}\?X-Amz-Algorithm=.*&X-Amz-Expires=300&.*&X-Amz-Signature=[0-9a-f]{64}$/
  : /^\/_files\/blobs\/[0-9a-f]{7}\/[0-9a-f-]{36}$/

let app: TestApp
let user: TestUser
const content = randomBytes(200_000)

beforeAll(async () => {
  app = await createTestApp({ sendFiles: 'nginx' })
  user = await app.createUser()
  await user.client.upload('a.txt', content)
})
afterAll(() => app.close())

/** Sends a request as nginx forwards it. */
function get(headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET', filename = 'a.txt') {
  const url = `/api/user-files/${filename}`
  return user.client.request({ method, url, headers: { 'x-forwarded-for': '203.0.113.9', ...headers } })
}

it('returns an X-Accel-Redirect to the file with its headers and no body', async () => {
  const response = await get()
  expect(response.status).toBe(200)
  expect(response.bytes.length).toBe(0)
  expect(response.headers['x-accel-redirect']).toMatch(FILE)
  expect(response.headers).toMatchObject({
    'content-type': 'text/plain',
    'content-disposition': `inline; filename="a.txt"; filename*=UTF-8''a.txt`,
    'cache-control': 'private, no-cache',
    etag: expect.stringMatching(/^"[0-9a-f-]{36}"$/),
  })
})

it.runIf(isOnS3)('redirects nginx to a presigned S3 URL that returns the bytes', async () => {
  const named = String((await get()).headers['x-accel-redirect']).replace('/_s3', '')
  const stored = await fetch(app.services.config.s3?.endpoint + named)
  expect(Buffer.from(await stored.arrayBuffer()).equals(content)).toBe(true)
})

it('leaves single ranges to nginx, even with a matching If-Range', async () => {
  const { etag } = (await get()).headers
  const requested: Record<string, string>[] = [
    { range: 'bytes=5-9' },
    { range: 'bytes=-5' },
    { range: 'bytes=5-9', 'if-range': String(etag) },
  ]
  for (const headers of requested) {
    const response = await get(headers)
    expect(response.status).toBe(200)
    expect(response.headers['x-accel-redirect']).toMatch(FILE)
  }
})

it.each([
  ['several ranges', { range: 'bytes=0-1,5-6' }],
  ['an invalid range', { range: 'bytes=9-5' }],
  ['a range with an outdated If-Range', { range: 'bytes=0-1', 'if-range': '"x"' }],
  ['a request with If-Match', { 'if-match': '"x"' }],
  ['a request with If-Unmodified-Since', { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
])('sends the whole file without nginx for %s', async (_what, headers) => {
  const response = await get(headers)
  expect(response.status).toBe(200)
  expect(response.headers['x-accel-redirect']).toBeUndefined()
  expect(response.bytes.equals(content)).toBe(true)
})

it('responds to HEAD, unchanged files and unsatisfiable ranges without nginx', async () => {
  const head = await get({}, 'HEAD')
  expect(head.headers).toMatchObject({ 'content-length': '200000', 'content-type': 'text/plain' })
  const unchanged = await get({ 'if-none-match': String(head.headers.etag) })
  const beyond = await get({ range: 'bytes=200000-' })
  expect([head, unchanged, beyond].map(({ status }) => status)).toEqual([200, 304, 416])
  expect([head, unchanged, beyond].map(({ headers }) => headers['x-accel-redirect'])).toEqual(Array(3).fill(undefined))
})

it('returns no X-Accel-Redirect to clients that bypass nginx', async () => {
  const response = await user.client.raw(getUserFile, { filename: 'a.txt' })
  expect(response.headers['x-accel-redirect']).toBeUndefined()
  expect(response.bytes.equals(content)).toBe(true)
})

it.runIf(!isOnS3)('sends small files without nginx, because they are not separate files on disk', async () => {
  const fields = { uploadId: randomUUID(), filename: 'b.txt', chunkIndex: 0, totalChunks: 1, totalSize: 5 }
  expect((await user.client.sendChunk({ ...fields, complete: 'true' }, Buffer.from('small'))).status).toBe(201)
  const response = await get({ range: 'bytes=1-3' }, 'GET', 'b.txt')
  expect(response.status).toBe(206)
  expect(response.headers['x-accel-redirect']).toBeUndefined()
  expect(response.bytes.toString()).toBe('mal')
})
