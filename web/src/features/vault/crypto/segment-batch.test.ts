import { expect, test } from 'vitest'
import { appendSum, blocksIn, tagOf } from './gcm.ts'
import { release } from './release.ts'
import { decryptBatch, encryptBatch, SEGMENT_LENGTH } from './segment-batch.ts'
import { keyFromBits, randomBytes, sealInOneShot, toHex } from './testing/one-shot.ts'

const bits = randomBytes(32)
const iv = randomBytes(12)
const edges = [SEGMENT_LENGTH - 1, SEGMENT_LENGTH, SEGMENT_LENGTH + 1, 2 * SEGMENT_LENGTH, 3 * SEGMENT_LENGTH + 17]

test.each([0, 1, 16, ...edges])(
  'a stretch of %i bytes becomes in place what one call makes of it, and back',
  async (size) => {
    const key = await keyFromBits(bits)
    const plain = randomBytes(size)
    const expected = await sealInOneShot(bits, iv, plain)
    const bytes = plain.slice()
    const sum = await encryptBatch(key, iv, 0, bytes)
    expect(Buffer.compare(bytes, expected.subarray(0, size))).toBe(0)
    expect(toHex(await tagOf(key, iv, sum, size))).toBe(toHex(expected.slice(size)))
    expect(await decryptBatch(key, iv, 0, bytes)).toBe(sum)
    expect(Buffer.compare(bytes, plain)).toBe(0)
  },
)

test('stretches that begin within a file give the same bytes, and the same sum as the whole', async () => {
  const key = await keyFromBits(bits)
  const plain = randomBytes(4 * SEGMENT_LENGTH + 5)
  const expected = await sealInOneShot(bits, iv, plain)
  const bytes = plain.slice()
  const half = 2 * SEGMENT_LENGTH - 48
  const sums = await Promise.all([
    encryptBatch(key, iv, 0, bytes.subarray(0, half)),
    encryptBatch(key, iv, half / 16, bytes.subarray(half)),
  ])
  expect(Buffer.compare(bytes, expected.subarray(0, plain.length))).toBe(0)
  const sum = appendSum(key, sums[0], sums[1], blocksIn(plain.length - half))
  expect(toHex(await tagOf(key, iv, sum, plain.length))).toBe(toHex(expected.slice(plain.length)))
})

test('released bytes are gone, but not those that share their memory with others', () => {
  const whole = randomBytes(100)
  const part = randomBytes(100).subarray(10)
  release(whole)
  release(part)
  expect([whole.length, part.length]).toEqual([0, 90])
})
