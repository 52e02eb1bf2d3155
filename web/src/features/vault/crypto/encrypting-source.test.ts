import { describe, expect, test } from 'vitest'
import { decryptToFile } from './decrypt.ts'
import { type EncryptingSource, encryptingSource } from './encrypting-source.ts'
import { MAX_ENCRYPTABLE_SIZE } from './envelope.ts'
import { openEnvelopeInOneShot, randomBytes } from './testing/one-shot.ts'

const PASSPHRASE = 'correct horse battery staple'

function fileOf(bytes: Uint8Array<ArrayBuffer>, name = 'a.bin'): File {
  return new File([bytes], name, { lastModified: 1000 })
}

function rangesOf({ size }: EncryptingSource, chunkSize: number): [start: number, end: number][] {
  const count = Math.max(1, Math.ceil(size / chunkSize))
  return Array.from({ length: count }, (_, index) => [index * chunkSize, Math.min((index + 1) * chunkSize, size)])
}

async function bytesOf(parts: BlobPart[]): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

/** Reads all chunks at once. */
async function readWhole(source: EncryptingSource, chunkSize: number): Promise<Uint8Array<ArrayBuffer>> {
  return bytesOf(await Promise.all(rangesOf(source, chunkSize).map(([start, end]) => source.slice(start, end))))
}

describe('encryptingSource', () => {
  // About every edge between chunks, blocks, header and tag there is, with chunks of 64 bytes.
  const sizes = [0, 1, 15, 16, 17, 19, 20, 21, 31, 32, 33, 35, 36, 37, 47, 48, 49, 63, 64, 65, 83, 84, 85, 95, 96, 97]
  test.each([...sizes, 99, 100, 101, 115, 116, 148, 1000, 10_007])(
    'produces an envelope of %i bytes that one call opens',
    async (size) => {
      const plain = randomBytes(size)
      const source = encryptingSource(fileOf(plain), PASSPHRASE, { chunkSize: 64 })
      const envelope = await readWhole(source, 64)
      expect(envelope.length).toBe(size + 44)
      expect(source.size).toBe(size + 44)
      expect(Buffer.compare(await openEnvelopeInOneShot(PASSPHRASE, envelope), plain)).toBe(0)
    },
  )

  test('produces an envelope in chunks of 5 MiB, read in any order, that one call opens', async () => {
    const plain = randomBytes(21 * 1024 * 1024 + 5)
    const chunkSize = 5 * 1024 * 1024
    const source = encryptingSource(fileOf(plain), PASSPHRASE, { chunkSize })
    const chunks: BlobPart[] = []
    for (const [start, end] of rangesOf(source, chunkSize).reverse()) chunks.unshift(await source.slice(start, end))
    expect(Buffer.compare(await openEnvelopeInOneShot(PASSPHRASE, await bytesOf(chunks)), plain)).toBe(0)
  })

  test('produces the same bytes again, and after a reload under the same seal', async () => {
    const plain = randomBytes(1000)
    const first = encryptingSource(fileOf(plain), PASSPHRASE, { chunkSize: 256 })
    const envelope = await readWhole(first, 256)
    expect(Buffer.compare(await readWhole(first, 256), envelope)).toBe(0)
    // As in another page that reads only the last chunk, which contains the tag.
    const resumed = encryptingSource(fileOf(plain), PASSPHRASE, { chunkSize: 128 }).withSeal(first.seal, 256)
    expect(Buffer.compare(await resumed.slice(1024, 1044), envelope.subarray(1024))).toBe(0)
    expect(Buffer.compare(await readWhole(resumed, 256), envelope)).toBe(0)
    expect(await resumed.checkValue()).toBe(await first.checkValue())
  })

  test('has its own salt and IV, also for the same file and passphrase', async () => {
    const file = fileOf(randomBytes(10))
    const [one, other] = [0, 1].map(() => encryptingSource(file, PASSPHRASE, { chunkSize: 64 }))
    expect(one?.seal.salt).not.toBe(other?.seal.salt)
    expect(one?.seal.iv).not.toBe(other?.seal.iv)
    expect(await one?.checkValue()).not.toBe(await other?.checkValue())
    expect(one?.seal).toEqual({ salt: expect.stringMatching(/^[\w-]{22}$/), iv: expect.stringMatching(/^[\w-]{16}$/) })
  })

  test.each([
    // With chunks of 256 bytes the second segment begins at 224, and the first chunk ends with 224 to 227.
    ['that were sent', 300, 256, 256],
    ['of which the chunk before ended with some', 225, 0, 256],
    ['that end a chunk', 226, 256, 0],
  ])('never encrypts other bytes than those %s', async (_which, position, sent, next) => {
    const plain = randomBytes(1000)
    const file = fileOf(plain)
    let current = new Blob([plain])
    // A file that changes during the upload. Most browsers refuse to read it, but not all.
    Object.defineProperty(file, 'slice', { value: (start: number, end: number) => current.slice(start, end) })
    const source = encryptingSource(file, PASSPHRASE, { chunkSize: 256 })
    await source.slice(sent, sent + 256)
    const changed = plain.slice()
    changed[position] = (changed[position] ?? 0) ^ 1
    current = new Blob([changed])
    await expect(source.slice(next, next + 256)).rejects.toMatchObject({ kind: 'changed' })
  })

  test('restarts under another seal once the file has changed, and not before', async () => {
    const plain = randomBytes(1000)
    const file = fileOf(plain)
    let current: Blob = new Blob([plain])
    Object.defineProperty(file, 'slice', { value: (start: number, end: number) => current.slice(start, end) })
    const source = encryptingSource(file, PASSPHRASE, { chunkSize: 256 })
    await source.slice(0, 256)
    expect(source.renewed(256)).toBeUndefined()
    const changed = plain.map((byte) => byte ^ 1)
    current = new Blob([changed])
    await expect(source.slice(0, 256)).rejects.toMatchObject({ kind: 'changed' })
    const renewed = source.renewed(512)
    if (!renewed) throw new Error('There is nothing to begin anew with.')
    expect(renewed.seal.salt).not.toBe(source.seal.salt)
    expect(renewed.seal.iv).not.toBe(source.seal.iv)
    const envelope = await readWhole(renewed, 512)
    expect(Buffer.compare(await openEnvelopeInOneShot(PASSPHRASE, envelope), changed)).toBe(0)
    // The old source keeps failing.
    await expect(source.slice(0, 256)).rejects.toMatchObject({ kind: 'changed' })
  })

  test('reports a file that can’t be read or has become shorter', async () => {
    const file = fileOf(randomBytes(1000))
    const source = encryptingSource(file, PASSPHRASE, { chunkSize: 256 })
    Object.defineProperty(file, 'slice', { value: () => new Blob(['short']), configurable: true })
    await expect(source.slice(0, 256)).rejects.toMatchObject({ kind: 'changed' })
    const gone = { arrayBuffer: () => Promise.reject(new DOMException('It is gone.', 'NotReadableError')) }
    Object.defineProperty(file, 'slice', { value: () => gone })
    await expect(source.slice(0, 256)).rejects.toMatchObject({ kind: 'unreadable' })
  })

  test('repeats a failed read once', async () => {
    const plain = randomBytes(1000)
    const file = fileOf(plain)
    const whole = new Blob([plain])
    let reads = 0
    const slice = (start: number, end: number) => {
      reads += 1
      const part = whole.slice(start, end)
      return reads > 1 ? part : { arrayBuffer: () => Promise.reject(new DOMException('Not now.', 'NotReadableError')) }
    }
    Object.defineProperty(file, 'slice', { value: slice })
    const envelope = await readWhole(encryptingSource(file, PASSPHRASE, { chunkSize: 512 }), 512)
    expect(Buffer.compare(await openEnvelopeInOneShot(PASSPHRASE, envelope), plain)).toBe(0)
  })

  test('rejects a file over the limit at once, and ranges that are not a chunk', async () => {
    const large = (size: number) => Object.defineProperty(fileOf(new Uint8Array()), 'size', { value: size })
    const sealLarge = (size: number) => encryptingSource(large(size), PASSPHRASE, { chunkSize: 64 })
    expect(() => sealLarge(MAX_ENCRYPTABLE_SIZE + 1)).toThrow(expect.objectContaining({ kind: 'too-large' }))
    expect(sealLarge(MAX_ENCRYPTABLE_SIZE).size).toBe(2 ** 36 + 12)
    const source = encryptingSource(fileOf(randomBytes(1000)), PASSPHRASE, { chunkSize: 256 })
    for (const [start, end] of [
      [0, 255],
      [0, 512],
      [16, 272],
      [1024, 1045],
    ] as const) {
      await expect(source.slice(start, end)).rejects.toThrow(RangeError)
    }
    expect(() => source.withSeal({ salt: 'short', iv: '' }, 256)).toThrow(RangeError)
  })

  test('is decrypted by decryptToFile with the same check value', async () => {
    const plain = randomBytes(5000)
    const source = encryptingSource(fileOf(plain), 'pass phrase with \u00e4 and \u{1f511}', { chunkSize: 512 })
    const envelope = new Blob([await readWhole(source, 512)])
    const checkValue = await source.checkValue()
    expect(checkValue).toMatch(/^[\w-]{22}$/)
    const options = { name: 'a.bin', type: 'text/plain', checkValue }
    const { file } = await decryptToFile(envelope, 'pass phrase with \u00e4 and \u{1f511}', options)
    expect(Buffer.compare(await file.bytes(), plain)).toBe(0)
    expect(file).toMatchObject({ name: 'a.bin', type: 'text/plain' })
    // With a and a combining mark instead, it is another passphrase.
    const other = decryptToFile(envelope, 'pass phrase with a\u0308 and \u{1f511}', options)
    await expect(other).rejects.toMatchObject({ kind: 'wrong-passphrase' })
  })
})
