import { getDownloadUrl } from '@alcove/contract/bytes'
import { expect, it } from 'vitest'
import { app, makeFolder, setUpDrive, user } from '../../../testing/factories/drive.ts'

setUpDrive()

const MAX = 10

it('a caller gets only so many ZIPs at once, and the next when one has ended or was given up', async () => {
  const folder = await makeFolder('Films')
  // More than the sockets between us hold: who does not read keeps the server waiting.
  await user.client.upload('film.bin', Buffer.alloc(40_000_000, 'film '), { folderId: folder.id })
  const { pathname, search } = new URL((await user.client.call(getDownloadUrl, { id: folder.id })).body.url)
  const origin = await app.app.listen({ port: 0, host: '127.0.0.1' })
  const begun: AbortController[] = []
  const begin = async (from: string, method = 'GET') => {
    const abort = new AbortController()
    begun.push(abort)
    const headers = { 'x-forwarded-for': from }
    return fetch(origin + pathname + search, { method, headers, signal: abort.signal })
  }
  const here = () => begin('203.0.113.7')
  const responses = await Promise.all(Array.from({ length: MAX }, here))
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))

  const refused = await here()
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(refused.headers.get('content-disposition')).toBeNull()
  expect(await refused.json()).toMatchObject({
    code: 'too_many_requests',
    error: '10 of your downloads of folders are under way. Please try again when one of them has ended.',
  })
  // Nothing is made for these.
  for (let turn = 0; turn < 2 * MAX; turn++) expect((await begin('203.0.113.8', 'HEAD')).status).toBe(200)
  const elsewhere = await begin('203.0.113.8')
  expect(elsewhere.status).toBe(200)

  expect((await responses[0]?.arrayBuffer())?.byteLength).toBeGreaterThan(40_000_000)
  await expect.poll(async () => (await here()).status).toBe(200)
  expect((await here()).status).toBe(429)
  begun[1]?.abort()
  await expect.poll(async () => (await here()).status).toBe(200)
  for (const abort of begun) abort.abort()
})
