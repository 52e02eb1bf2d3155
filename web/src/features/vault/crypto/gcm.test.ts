import { beforeAll, describe, expect, test } from 'vitest'
import { release } from './bytes.ts'
import { invert, multiply, power, toBlock, toElement } from './field.ts'
import type { FileKey } from './file-key.ts'
import {
  appendSum,
  blocksIn,
  decryptBatch,
  decryptSegment,
  encryptBatch,
  encryptSegment,
  SEGMENT_LENGTH,
  tagOf,
} from './gcm.ts'
import { fromHex, keyFromBits, randomBytes, sealInOneShot, toHex } from './testing/one-shot.ts'

const bits = randomBytes(32)
const iv = randomBytes(12)

/** NIST's vectors for AES-256-GCM with an IV of 96 bits and no additional data (gcmEncryptExtIV256.rsp, and the GCM paper). */
const VECTORS = [
  {
    key: 'b52c505a37d78eda5dd34f20c22540ea1b58963cf8e5bf8ffa85f9f2492505b4',
    iv: '516c33929df5a3284ff463d7',
    plain: '',
    sealed: 'bdc1ac884d332457a1d2664f168c76f0',
  },
  {
    key: '31bdadd96698c204aa9ce1448ea94ae1fb4a9a0b3c9d773b51bb1822666b8f22',
    iv: '0d18e06c7c725ac9e362e1ce',
    plain: '2db5168e932556f8089a0622981d017d',
    sealed: 'fa4362189661d163fcd6a56d8bf0405ad636ac1bbedd5cc3ee727dc2ab4a9489',
  },
  {
    key: 'feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308',
    iv: 'cafebabefacedbaddecaf888',
    plain:
      'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255',
    sealed:
      '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015adb094dac5d93471bdec1a502270e3cc6c',
  },
]

type Bytes = Uint8Array<ArrayBuffer>

/** Encrypts in segments of the given length. */
async function sealInSegments(key: FileKey, iv: Bytes, plain: Bytes, segmentLength: number): Promise<Bytes> {
  const parts: BlobPart[] = []
  let sum = 0n
  for (let start = 0; start < plain.length; start += segmentLength) {
    const part = plain.subarray(start, start + segmentLength)
    const segment = await encryptSegment(key, iv, start / 16, part)
    sum = appendSum(key, sum, segment.sum, blocksIn(part.length))
    parts.push(segment.bytes)
  }
  parts.push(await tagOf(key, iv, sum, plain.length))
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

async function openInSegments(key: FileKey, iv: Bytes, ciphertext: Bytes, segmentLength: number) {
  const parts: BlobPart[] = []
  let sum = 0n
  for (let start = 0; start < ciphertext.length; start += segmentLength) {
    const part = ciphertext.slice(start, start + segmentLength)
    const segment = await decryptSegment(key, iv, start / 16, part)
    sum = appendSum(key, sum, segment.sum, blocksIn(part.length))
    parts.push(segment.bytes)
  }
  const plain = new Uint8Array(await new Blob(parts).arrayBuffer())
  return { plain, tag: await tagOf(key, iv, sum, plain.length) }
}

describe('field', () => {
  const a = toElement(randomBytes(16))
  const b = toElement(randomBytes(16))
  const one = 1n << 127n

  test('multiplies as the GCM paper does', () => {
    // Test case 2: the ciphertext times H, then the lengths added and times H again.
    const hash = toElement(fromHex('66e94bd4ef8a2c3b884cfa59ca342b2e'))
    const first = multiply(toElement(fromHex('0388dace60b6a392f328c2b971b2fe78')), hash)
    expect(toHex(toBlock(first))).toBe('5e2ec746917062882c85b0685353deb7')
    expect(toHex(toBlock(multiply(first ^ 128n, hash)))).toBe('f38cbb1ad69223dcc3457ae5b6b0f885')
  })

  test('has one, inverses and powers', () => {
    expect(multiply(a, one)).toBe(a)
    expect(multiply(a, b)).toBe(multiply(b, a))
    expect(multiply(invert(a), a)).toBe(one)
    expect(power(a, 5n)).toBe(multiply(a, multiply(multiply(a, a), multiply(a, a))))
  })
})

describe('AES-GCM in segments', () => {
  test.each(VECTORS)('matches the vector of NIST: $sealed', async (vector) => {
    const key = await keyFromBits(fromHex(vector.key))
    for (const segmentLength of [16, 32, 1024]) {
      const sealed = await sealInSegments(key, fromHex(vector.iv), fromHex(vector.plain), segmentLength)
      expect(toHex(sealed)).toBe(vector.sealed)
    }
  })

  let key: FileKey
  beforeAll(async () => {
    key = await keyFromBits(bits)
  })

  const sizes = [0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1000, 4095, 4096, 4097, 100_003]
  test.each(sizes)('encrypts %i bytes as one call does, and decrypts them', async (size) => {
    const plain = randomBytes(size)
    const expected = await sealInOneShot(bits, iv, plain)
    for (const segmentLength of [16, 48, 4096, 1 << 20]) {
      if (size / segmentLength > 300) continue
      const sealed = await sealInSegments(key, iv, plain, segmentLength)
      expect(Buffer.compare(sealed, expected)).toBe(0)
      const opened = await openInSegments(key, iv, expected.slice(0, size), segmentLength)
      expect(Buffer.compare(opened.plain, plain)).toBe(0)
      expect(toHex(opened.tag)).toBe(toHex(expected.slice(size)))
    }
  })

  test('encrypts more than 20 MiB as one call does', async () => {
    const plain = randomBytes(20 * 1024 * 1024 + 3)
    const expected = await sealInOneShot(bits, iv, plain)
    expect(Buffer.compare(await sealInSegments(key, iv, plain, 5 << 20), expected)).toBe(0)
    const opened = await openInSegments(key, iv, expected.slice(0, plain.length), 4 << 20)
    expect(Buffer.compare(opened.plain, plain)).toBe(0)
    expect(toHex(opened.tag)).toBe(toHex(expected.slice(plain.length)))
  })

  test('counts up to the last block of GCM, and never wraps around', async () => {
    const last = 2 ** 32 - 3 // its counter is 2^32 - 1
    const plain = randomBytes(16)
    const { bytes } = await encryptSegment(key, iv, last, plain)
    const ctr = await crypto.subtle.importKey('raw', bits, 'AES-CTR', false, ['encrypt'])
    const counter = new Uint8Array([...iv, 255, 255, 255, 255])
    const expected = await crypto.subtle.encrypt({ name: 'AES-CTR', counter, length: 32 }, ctr, plain)
    expect(toHex(bytes)).toBe(toHex(new Uint8Array(expected)))

    await expect(encryptSegment(key, iv, last, randomBytes(17))).rejects.toThrow(RangeError)
    await expect(encryptSegment(key, iv, last + 1, plain)).rejects.toThrow(RangeError)
    await expect(decryptSegment(key, iv, last + 1, plain)).rejects.toThrow(RangeError)
  })
})

const edges = [SEGMENT_LENGTH - 1, SEGMENT_LENGTH, SEGMENT_LENGTH + 1, 2 * SEGMENT_LENGTH, 3 * SEGMENT_LENGTH + 17]

test.each([0, 1, 16, ...edges])(
  'encrypts and decrypts a batch of %i bytes in place, as one call does',
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

test('encrypts batches within a file to the same bytes and the same sum as the whole', async () => {
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

test('releases bytes, but not those that share their memory with others', () => {
  const whole = randomBytes(100)
  const part = randomBytes(100).subarray(10)
  release(whole)
  release(part)
  expect([whole.length, part.length]).toEqual([0, 90])
})
