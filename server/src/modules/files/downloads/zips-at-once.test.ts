import { getDownloadUrl } from '@alcove/contract/bytes'
import { expect, it } from 'vitest'
import { app, makeFolder, setUpDrive, user } from '../../../testing/factories/drive.ts'

setUpDrive()

const MAX = 10

it('limits concurrent ZIP downloads for each client and frees a slot when one ends or is aborted', async () => {
  const folder = await makeFolder('Films')
  // More than the socket buffers hold, so the server waits for a client that doesn't read.
  await user.client.upload('film.bin', Buffer.alloc(40_000_000, 'film '), { folderId: folder.id })
  const { pathname, search } = new URL((await user.client.call(getDownloadUrl, { id: folder.id })).body.url)
  const origin = await app.app.listen({ port: 0, host: '127.0.0.1' })
  const aborts: AbortController[] = []
  const download = async (from: string, method = 'GET') => {
    const abort = new AbortController()
    aborts.push(abort)
    const headers = { 'x-forwarded-for': from }
    return fetch(origin + pathname + search, { method, headers, signal: abort.signal })
  }
  const downloadHere = () => download('203.0.113.7')
  const responses = await Promise.all(Array.from({ length: MAX }, downloadHere))
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))

  const refused = await downloadHere()
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(refused.headers.get('content-disposition')).toBeNull()
  expect(await refused.json()).toMatchObject({
    code: 'too_many_requests',
    error: 'You can download up to 10 ZIP files at a time. Try again when one of them has finished.',
  })
  // HEAD requests create no ZIP.
  for (let count = 0; count < 2 * MAX; count++) expect((await download('203.0.113.8', 'HEAD')).status).toBe(200)
  const elsewhere = await download('203.0.113.8')
  expect(elsewhere.status).toBe(200)

  expect((await responses[0]?.arrayBuffer())?.byteLength).toBeGreaterThan(40_000_000)
  await expect.poll(async () => (await downloadHere()).status).toBe(200)
  expect((await downloadHere()).status).toBe(429)
  aborts[1]?.abort()
  await expect.poll(async () => (await downloadHere()).status).toBe(200)
  for (const abort of aborts) abort.abort()
})
