import { collectAfter } from './bytes.ts'
import { type Ciphertext, openCiphertext, readCiphertext } from './ciphertext.ts'
import {
  BLOCK_LENGTH,
  type EnvelopeHeader,
  HEADER_LENGTH,
  readHeader,
  sizeInEnvelope,
  splitEnvelope,
} from './envelope.ts'
import { type FieldElement, toElement } from './field.ts'
import { deriveKey, type FileKey, type Secret } from './file-key.ts'
import { appendSum, applyKeystream, blocksIn, tagOf } from './gcm.ts'
import type { DecryptedBatch } from './jobs.ts'
import { createPrivateFile, inMemory, type PrivateFile } from './private-file.ts'
import { VaultFailure } from './vault-failure.ts'
import { parallelJobs, runJob } from './worker-pool.ts'

interface DecryptOptions {
  /** The name and type of the resulting file. */
  readonly name: string
  readonly type?: string
  /** The stored check value (`vaultCheck`). With it, a wrong passphrase is detected before the bytes are fetched. */
  readonly checkValue?: string
  readonly signal?: AbortSignal
  /** Called with the number of decrypted bytes, and the size of the file. */
  readonly onProgress?: (done: number, size: number) => void
}

/** A decrypted and verified file. It may be in the private storage of the browser. */
export interface DecryptedFile {
  readonly file: File
  /** Removes it from there, so that reading it fails. Otherwise it is removed after the page is closed. */
  discard(): Promise<void>
}

const BATCH_LENGTH = 2 * 1024 * 1024
/** Files of up to this size stay in memory. */
const MAX_SIZE_IN_MEMORY = 32 * 1024 * 1024

/**
 * Decrypts a file as a stream, in constant memory, and returns it only if its tag is correct. Small files stay in memory,
 * larger ones go to the origin private file system if there is one. After a failure, nothing is left. Rejects with a
 * `VaultFailure`, or with the reason of the signal.
 */
export async function decryptToFile(
  ciphertext: Ciphertext,
  secret: Secret,
  options: DecryptOptions,
): Promise<DecryptedFile> {
  const { total, bytes } = await openCiphertext(ciphertext, { start: 0, signal: options.signal })
  const size = sizeInEnvelope(total)
  if (size === undefined) throw new VaultFailure('too-short')
  const place = size > MAX_SIZE_IN_MEMORY ? await createPrivateFile() : inMemory()
  try {
    await decryptInto(place, bytes, secret, size, options)
    const { name, type } = options
    return { file: new File([await place.finish()], name, { type }), discard: place.remove }
  } catch (error) {
    await place.remove()
    throw error
  }
}

/** Writes the decrypted bytes in their order, and throws unless the tag at the end matches them. */
async function decryptInto(
  place: PrivateFile,
  bytes: AsyncIterable<Uint8Array>,
  secret: Secret,
  size: number,
  { checkValue, signal, onProgress }: DecryptOptions,
): Promise<void> {
  // Allocating memory for each batch would cost as much as decrypting it.
  const spare: ArrayBuffer[] = []
  const parts = splitEnvelope(bytes, BATCH_LENGTH, () => spare.pop())
  try {
    const { header, key } = await unlockFirst(parts, secret, checkValue)
    const running: Promise<DecryptedBatch>[] = []
    let sum: FieldElement = 0n
    let done = 0
    let writing: Promise<void> | undefined
    const settleFirst = async () => {
      const batch = await running.shift()
      signal?.throwIfAborted()
      if (!batch) return
      sum = appendSum(key, sum, batch.sum, blocksIn(batch.bytes.length))
      done += batch.bytes.length
      collectAfter(batch.bytes.length)
      onProgress?.(done, size)
      await writing
      writing = place.write(batch.bytes).then((buffer) => void (buffer && spare.push(buffer)))
      writing.catch(() => undefined) // thrown when it is awaited
    }
    let taken = 0
    for await (const { kind, bytes: ciphertext } of parts) {
      if (kind === 'batch') {
        if (running.length >= parallelJobs()) await settleFirst()
        const order = { key, iv: header.iv, first: blocksIn(taken), bytes: ciphertext }
        taken += ciphertext.length
        const batch = runJob('decryptBatch', order, [ciphertext.buffer])
        batch.catch(() => undefined) // thrown when its turn comes, unless an earlier one was
        running.push(batch)
      } else if (kind === 'tag') {
        while (running.length > 0) await settleFirst()
        await writing
        const tag = await tagOf(key, header.iv, sum, done)
        if (toElement(tag) !== toElement(ciphertext)) {
          throw new VaultFailure(checkValue === undefined ? 'wrong-passphrase-or-damaged' : 'damaged')
        }
      }
    }
  } finally {
    await parts.return() // ends the stream, also after a failure
  }
}

async function unlockFirst(parts: ReturnType<typeof splitEnvelope>, secret: Secret, checkValue: string | undefined) {
  const { value: first } = await parts.next()
  if (first?.kind !== 'header') throw new VaultFailure('too-short')
  const header = readHeader(first.bytes)
  return { header, key: await unlock(header, secret, checkValue) }
}

/** An envelope whose header was read, with a key that matches the check value, if there is one. */
export interface OpenedEnvelope {
  readonly ciphertext: Ciphertext
  readonly header: EnvelopeHeader
  readonly key: FileKey
  /** The size of the file in it. */
  readonly size: number
  /** Whether a check value has confirmed the key. Otherwise only the tag, at the end of the file, can. */
  readonly isConfirmed: boolean
}

interface OpenOptions {
  /** The stored check value (`vaultCheck`). */
  readonly checkValue?: string
  readonly signal?: AbortSignal
}

/**
 * Reads the header, derives the key and compares the check value, so that a wrong passphrase is detected at once. Rejects
 * with a `VaultFailure`, or with the reason of the signal.
 */
export async function openEnvelope(
  ciphertext: Ciphertext,
  secret: Secret,
  { checkValue, signal }: OpenOptions = {},
): Promise<OpenedEnvelope> {
  const { total, bytes } = await readCiphertext(ciphertext, { start: 0, end: HEADER_LENGTH, signal })
  const size = sizeInEnvelope(total)
  if (size === undefined) throw new VaultFailure('too-short')
  const header = readHeader(bytes)
  const key = await unlock(header, secret, checkValue)
  return { ciphertext, header, key, size, isConfirmed: checkValue !== undefined }
}

/** Returns the key of the envelope with this header. Rejects with `wrong-passphrase` if the check value differs. */
async function unlock({ salt }: EnvelopeHeader, secret: Secret, checkValue?: string): Promise<FileKey> {
  const key = typeof secret === 'string' ? await deriveKey(secret, salt) : secret
  if (checkValue !== undefined && checkValue !== key.checkValue) throw new VaultFailure('wrong-passphrase')
  return key
}

/**
 * Decrypts a range of the file, for previews and playback only. NOT VERIFIED: anyone who can change the bytes on the server
 * can change the result; only `decryptToFile` detects that. The page has to say so.
 */
export async function decryptRange(
  { ciphertext, header, key, size }: OpenedEnvelope,
  offset: number,
  length: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const first = Math.floor(offset / BLOCK_LENGTH)
  const start = first * BLOCK_LENGTH
  const end = Math.min(offset + length, size)
  if (end <= offset) return new Uint8Array()
  const range = { start: HEADER_LENGTH + start, end: HEADER_LENGTH + end, signal }
  const { bytes } = await readCiphertext(ciphertext, range)
  return (await applyKeystream(key, header.iv, first, bytes)).subarray(offset - start)
}
