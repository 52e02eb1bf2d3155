import { randomBytes, randomUUID } from 'node:crypto'
import { fetchFile } from '@alcove/contract/bytes'
import { completeUpload } from '@alcove/contract/uploads'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type S3Engine, startS3 } from '../../testing/engines/s3-engine.ts'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import type { TestUser } from '../../testing/factories/users.ts'

let engine: S3Engine
let app: TestApp
let user: TestUser
beforeAll(async () => {
  engine = await startS3()
  app = await createTestApp({ s3: engine.settings })
  user = await app.createUser({ planName: '2 TB Annually' })
})
afterAll(async () => {
  await app.close()
  await engine.stop()
})

const away = {
  status: 503,
  body: {
    code: 'unavailable',
    message: 'The file storage is not responding. Nothing is lost. Please try again in a moment.',
  },
}

// An external store can't be made to fail.
it.runIf(!process.env.ALCOVE_TEST_S3_ENDPOINT)(
  'returns 503 while the store is unreachable, and continues afterwards without loss',
  async () => {
    const content = randomBytes(6 * 1024 * 1024)
    const chunks = [content.subarray(0, 5 * 1024 * 1024), content.subarray(5 * 1024 * 1024)].map(Buffer.from)
    const fields = { uploadId: randomUUID(), filename: 'large', totalChunks: 2, totalSize: content.length }
    const sendChunk = (chunkIndex: number) => user.client.sendChunk({ ...fields, chunkIndex }, chunks[chunkIndex])
    const whole = { uploadId: randomUUID(), filename: 'small', chunkIndex: 0, totalChunks: 1, complete: true }
    await user.client.upload('there', 'bytes')
    expect((await sendChunk(0)).status).toBe(200)

    engine.fault = (request) => Boolean(request.destroy())
    const [chunk, small, fetched] = await Promise.all([
      sendChunk(1),
      user.client.sendChunk(whole, 'some'),
      user.client.raw(fetchFile, { filename: 'there' }),
    ])
    expect(chunk).toMatchObject(away)
    expect(small).toMatchObject(away)
    expect(fetched.status).toBe(503)
    expect(fetched.headers).toMatchObject({ 'content-type': expect.stringContaining('json'), 'retry-after': '5' })
    expect(fetched.headers).not.toHaveProperty('etag')
    expect(fetched.headers).not.toHaveProperty('content-disposition')

    engine.fault = undefined
    expect((await sendChunk(1)).status).toBe(200)
    expect((await user.client.call(completeUpload, { uploadId: fields.uploadId })).status).toBe(201)
    expect((await user.client.sendChunk(whole, 'some')).status).toBe(201)
    expect((await user.client.raw(fetchFile, { filename: 'large' })).bytes.equals(content)).toBe(true)
    expect((await user.client.raw(fetchFile, { filename: 'there' })).bytes.toString()).toBe('bytes')
  },
)
