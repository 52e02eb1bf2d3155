import { beforeAll, describe, expect, test } from 'vitest'
import { type OpenedEnvelope, openEnvelope } from './decrypt.ts'
import { envelopeInOneShot, randomBytes } from './testing/one-shot.ts'
import { rangeResponse } from './vault-media.ts'

const plain = randomBytes(3 * 1024 * 1024)
let envelope: OpenedEnvelope
beforeAll(async () => {
  envelope = await openEnvelope(new Blob([await envelopeInOneShot('x', plain)]), 'x')
})
const response = (range: string | null) =>
  rangeResponse({ envelope, type: 'video/mp4', end: new AbortController() }, range)

describe('rangeResponse', () => {
  test.each([
    ['bytes=0-99', 0, 100],
    ['bytes=1000001-1000017', 1_000_001, 1_000_018],
    ['bytes=0-', 0, 2 * 1024 * 1024],
    [`bytes=${plain.length - 5}-`, plain.length - 5, plain.length],
    ['bytes=-5', plain.length - 5, plain.length],
    ['bytes=10-99999999', 10, 10 + 2 * 1024 * 1024],
  ])('responds to %s with that range, up to 2 MiB of it', async (range, start, end) => {
    const { status, headers, body } = await response(range)
    expect(status).toBe(206)
    expect(headers).toMatchObject({
      'content-range': `bytes ${start}-${end - 1}/${plain.length}`,
      'content-length': String(end - start),
      'content-type': 'video/mp4',
      'cache-control': 'no-store',
    })
    expect(Buffer.compare(body ?? Buffer.alloc(0), plain.subarray(start, end))).toBe(0)
  })

  test.each([`bytes=${plain.length}-`, 'bytes=9-3', 'bytes=-', 'bytes=-0', 'lines=1-2', 'bytes=a-b'])(
    'rejects %s',
    async (range) => expect(await response(range)).toMatchObject({ status: 416, body: null }),
  )

  test('rejects a request for the whole file, as browsers send to save it', async () => {
    expect(await response(null)).toMatchObject({ status: 403, body: null })
  })
})
