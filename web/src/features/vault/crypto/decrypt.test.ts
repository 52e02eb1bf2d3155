import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { decryptRange, decryptToFile, openEnvelope } from './decrypt.ts'
import { deriveKey, exportKey, importKey } from './file-key.ts'
import { startBlobServer } from './testing/blob-server.ts'
import { envelopeInOneShot, randomBytes } from './testing/one-shot.ts'

const PASSPHRASE = 'open sesame'
const plain = randomBytes(9 * 1024 * 1024 + 11)
let envelope: Uint8Array<ArrayBuffer>
let checkValue: string
beforeAll(async () => {
  envelope = await envelopeInOneShot(PASSPHRASE, plain)
  checkValue = (await deriveKey(PASSPHRASE, envelope.slice(0, 16))).checkValue
})

const name = 'film.mp4'
const isSame = async (file: Blob, bytes: Uint8Array) => Buffer.compare(await file.bytes(), bytes) === 0

function flipped(position: number): Blob {
  const bytes = envelope.slice()
  const at = position < 0 ? bytes.length + position : position
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return new Blob([bytes])
}

describe('decryptToFile', () => {
  test('decrypts what one call encrypted, and reports the progress', async () => {
    const told: number[] = []
    const options = { name, type: 'video/mp4', onProgress: (done: number) => void told.push(done) }
    const { file, discard } = await decryptToFile(new Blob([envelope]), PASSPHRASE, options)
    expect(await isSame(file, plain)).toBe(true)
    expect([file.name, file.type]).toEqual([name, 'video/mp4'])
    expect(told).toEqual([2 << 20, 4 << 20, 6 << 20, 8 << 20, plain.length])
    await discard()
  })

  test.each([0, 1, 15, 16, 17, 1000])('decrypts what one call made of %i bytes', async (size) => {
    const small = await envelopeInOneShot(PASSPHRASE, plain.subarray(0, size))
    const { file } = await decryptToFile(new Blob([small]), PASSPHRASE, { name })
    expect(await isSame(file, plain.subarray(0, size))).toBe(true)
  })

  test.each([
    ['the first byte', 28],
    ['the middle', 5_000_000],
    ['the last byte', -17],
    ['the tag', -1],
    ['the IV', 20],
  ])('rejects a file as damaged when %s has changed', async (_what, position) => {
    const opening = decryptToFile(flipped(position), PASSPHRASE, { name, checkValue })
    await expect(opening).rejects.toMatchObject({ name: 'VaultFailure', kind: 'damaged' })
  })

  test('detects a wrong passphrase at once with a check value', async () => {
    const onProgress = vi.fn()
    const opening = decryptToFile(new Blob([envelope]), 'open barley', { name, checkValue, onProgress })
    await expect(opening).rejects.toMatchObject({ kind: 'wrong-passphrase' })
    expect(onProgress).not.toHaveBeenCalled()
    await expect(openEnvelope(new Blob([envelope]), 'open barley', { checkValue })).rejects.toMatchObject({
      kind: 'wrong-passphrase',
    })
    // A changed salt results in another key, too.
    await expect(decryptToFile(flipped(3), PASSPHRASE, { name, checkValue })).rejects.toMatchObject({
      kind: 'wrong-passphrase',
    })
  })

  test('reports a wrong passphrase or damage without a check value', async () => {
    const kind = 'wrong-passphrase-or-damaged'
    await expect(decryptToFile(new Blob([envelope]), 'open barley', { name })).rejects.toMatchObject({ kind })
    await expect(decryptToFile(flipped(40), PASSPHRASE, { name })).rejects.toMatchObject({ kind })
  })

  test.each([0, 1, 27, 28, 43])('rejects %i bytes as too short', async (length) => {
    const opening = decryptToFile(new Blob([envelope.subarray(0, length)]), PASSPHRASE, { name })
    await expect(opening).rejects.toMatchObject({ kind: 'too-short' })
    await expect(openEnvelope(new Blob([envelope.subarray(0, length)]), PASSPHRASE)).rejects.toMatchObject({
      kind: 'too-short',
    })
  })

  test('rejects a truncated file as damaged', async () => {
    for (const lost of [1, 16, 17, 4 << 20]) {
      const opening = decryptToFile(new Blob([envelope.subarray(0, -lost)]), PASSPHRASE, { name, checkValue })
      await expect(opening).rejects.toMatchObject({ kind: 'damaged' })
    }
  })

  test('stops when the signal is aborted', async () => {
    const stop = new AbortController()
    const opening = decryptToFile(new Blob([envelope]), PASSPHRASE, {
      name,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('Enough.')),
    })
    await expect(opening).rejects.toThrow('Enough.')
  })

  test('decrypts with the key of the file, which opens no other file', async () => {
    const text = await exportKey(PASSPHRASE, envelope.slice(0, 16))
    expect(text).toMatch(/^[\w-]{43}$/)
    const key = await importKey(text)
    if (!key) throw new Error('There is no key.')
    const { file } = await decryptToFile(new Blob([envelope]), key, { name, checkValue })
    expect(await isSame(file, plain)).toBe(true)
    const other = await envelopeInOneShot(PASSPHRASE, plain.subarray(0, 100))
    const otherCheck = (await deriveKey(PASSPHRASE, other.slice(0, 16))).checkValue
    await expect(decryptToFile(new Blob([other]), key, { name, checkValue: otherCheck })).rejects.toMatchObject({
      kind: 'wrong-passphrase',
    })
    for (const wrong of ['', 'a', text.slice(1), `${text}A`, `${text.slice(1)}!`])
      expect(await importKey(wrong)).toBeUndefined()
  })
})

describe('decryptRange', () => {
  test('decrypts a range at any offset', async () => {
    const opened = await openEnvelope(new Blob([envelope]), PASSPHRASE, { checkValue })
    expect(opened).toMatchObject({ size: plain.length, isConfirmed: true })
    const parts = [
      [0, 1],
      [1, 15],
      [15, 2],
      [16, 16],
      [5_000_001, 300_000],
      [plain.length - 3, 100],
      [plain.length, 5],
    ] as const
    for (const [offset, length] of parts) {
      const bytes = await decryptRange(opened, offset, length)
      expect(Buffer.compare(bytes, plain.subarray(offset, offset + length))).toBe(0)
    }
  })
})

describe('ciphertext at an address', () => {
  let server: Awaited<ReturnType<typeof startBlobServer>>
  beforeEach(async () => {
    server = await startBlobServer(envelope)
  })
  afterEach(() => server.stop())

  test('resumes after a broken connection', async () => {
    server.state.breakAfter = 6_000_000
    const { file } = await decryptToFile(server.address, PASSPHRASE, { name, checkValue })
    expect(await isSame(file, plain)).toBe(true)
    expect(server.state.ranges.length).toBe(2)
    expect(server.state.ranges[0]).toBeUndefined()
    expect(server.state.ranges[1]).toMatch(/^bytes=[1-9]\d*-$/)
  })

  test('fails to resume when the content has changed', async () => {
    server.state.breakAfter = 4_000_000
    const opening = decryptToFile(server.address, PASSPHRASE, { name, checkValue })
    opening.catch(() => undefined)
    await expect.poll(() => server.state.ranges.length).toBe(1)
    server.state.etag = '"two"'
    await expect(opening).rejects.toMatchObject({ kind: 'network' })
  })

  test('requests a fresh address after a refusal, and retries after a server error', async () => {
    server.state.statuses = [401, 503]
    const requested: boolean[] = []
    const address = async (options?: { isFresh: boolean }) => {
      requested.push(options?.isFresh ?? false)
      return server.address
    }
    const opened = await openEnvelope(address, PASSPHRASE, { checkValue })
    expect(requested).toEqual([false, true, false])
    expect(opened.size).toBe(plain.length)
    server.state.statuses = [404, 404]
    await expect(openEnvelope(address, PASSPHRASE)).rejects.toMatchObject({ kind: 'network' })
    server.state.statuses = [404]
    await expect(decryptToFile(server.address, PASSPHRASE, { name })).rejects.toMatchObject({ kind: 'network' })
  })

  test('rejects empty content as too short', async () => {
    server.state.bytes = new Uint8Array()
    await expect(openEnvelope(server.address, PASSPHRASE)).rejects.toMatchObject({ kind: 'too-short' })
    await expect(decryptToFile(server.address, PASSPHRASE, { name })).rejects.toMatchObject({ kind: 'too-short' })
  })

  test('reads ranges by range requests only', async () => {
    const opened = await openEnvelope(server.address, PASSPHRASE)
    await decryptRange(opened, 100, 50)
    expect(server.state.ranges).toEqual(['bytes=0-27', 'bytes=124-177'])
  })
})
