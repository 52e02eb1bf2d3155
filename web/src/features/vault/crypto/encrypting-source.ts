import { concatenate, fromBase64url, toBase64url } from './bytes.ts'
import {
  BLOCK_LENGTH,
  createHeader,
  type EnvelopeHeader,
  envelopeSize,
  HEADER_LENGTH,
  IV_LENGTH,
  isEncryptable,
  SALT_LENGTH,
  type Seal,
  writeHeader,
} from './envelope.ts'
import type { FieldElement } from './field.ts'
import { deriveKey, type FileKey } from './file-key.ts'
import { appendSum, blocksIn, tagOf } from './gcm.ts'
import type { ChunkPart, EncryptedChunk } from './jobs.ts'
import { VaultFailure } from './vault-failure.ts'
import { runJob } from './worker-pool.ts'

interface EncryptingOptions {
  /** The size of the chunks in the plan of the upload: a multiple of 16, at least 64. */
  readonly chunkSize: number
  /** The seal of an earlier upload of the same bytes, which is resumed. Without it, a new one is created. */
  readonly seal?: Seal
}

/**
 * A file as its envelope, for the uploader (see its `UploadSource`). Chunks are encrypted when they are read: in any order,
 * several at once and repeatedly, in constant memory. A chunk always has the same bytes, or is rejected with `changed` if
 * the file has changed.
 */
export interface EncryptingSource {
  readonly name: string
  /** The size of the envelope. */
  readonly size: number
  readonly lastModified: number
  /** May be stored, so that the upload can be resumed after a reload. */
  readonly seal: Seal
  /** Returns one whole chunk, as `chunkSize` splits the envelope. */
  slice(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>
  /** Returns the value that the server stores with the file as `vaultCheck`. Derives the key if necessary. */
  checkValue(): Promise<string>
  /** Returns the same file under the seal of an earlier upload, whose digests show whether it had the same bytes. */
  withSeal(seal: Seal, chunkSize: number): EncryptingSource
  /** Returns the file in its current state under a new seal, once this source has rejected with `changed`; else undefined. */
  renewed(chunkSize: number): EncryptingSource | undefined
}

/** Batches start this far before the chunks, counted from the end of the header: at the previous whole block. */
const SHIFT = Math.ceil(HEADER_LENGTH / BLOCK_LENGTH) * BLOCK_LENGTH

/** Throws `too-large` at once. Derives the key with the first chunk, so that thousands of sources cost little. */
export function encryptingSource(file: File, passphrase: string, options: EncryptingOptions): EncryptingSource {
  if (!isEncryptable(file.size)) throw new VaultFailure('too-large')
  const { chunkSize } = options
  const header = options.seal ? readSeal(options.seal) : createHeader()
  const size = envelopeSize(file.size)
  const batches = file.size === 0 ? 0 : Math.ceil((file.size + SHIFT) / chunkSize)
  const startOf = (index: number) => Math.min(Math.max(0, index * chunkSize - SHIFT), file.size)
  const ledger = createLedger()
  const running = new Map<number, Promise<unknown>>()
  let deriving: Promise<FileKey> | undefined
  let hasChanged = false

  function key(): Promise<FileKey> {
    deriving ??= deriveKey(passphrase, header.salt)
    return deriving
  }

  /** Encrypts the batch of a chunk, and compares it with earlier results. */
  async function encrypt(index: number): Promise<Uint8Array<ArrayBuffer>> {
    const encrypting = encryptPart(partOf(index))
    running.set(index, encrypting)
    try {
      const chunk = await encrypting
      ledger.note(index, chunk)
      return chunk.bytes
    } catch (error) {
      hasChanged ||= error instanceof VaultFailure && error.kind === 'changed'
      throw error
    } finally {
      running.delete(index)
    }
  }

  async function encryptPart(part: ChunkPart): Promise<EncryptedChunk> {
    return runJob('encryptChunk', { file, key: await key(), iv: header.iv, part })
  }

  function partOf(index: number): ChunkPart {
    const start = startOf(index)
    const end = startOf(index + 1)
    const inFile = (offset: number) => Math.min(Math.max(0, offset - HEADER_LENGTH), file.size)
    return { start, end, from: inFile(index * chunkSize), to: inFile((index + 1) * chunkSize) }
  }

  /** Returns the tag of the whole. Encrypts the chunks for it that were sent before a reload. */
  async function tag(): Promise<Uint8Array<ArrayBuffer>> {
    const fileKey = await key()
    let sum: FieldElement = 0n
    for (let index = 0; index < batches; index += 1) {
      await running.get(index)
      if (ledger.sumOf(index) === undefined) await encrypt(index)
      sum = appendSum(fileKey, sum, ledger.sumOf(index) as FieldElement, blocksIn(startOf(index + 1) - startOf(index)))
    }
    return tagOf(fileKey, header.iv, sum, file.size)
  }

  return {
    name: file.name,
    size,
    lastModified: file.lastModified,
    seal: { salt: toBase64url(header.salt), iv: toBase64url(header.iv) },
    checkValue: async () => (await key()).checkValue,
    withSeal: (seal, size) => encryptingSource(file, passphrase, { seal, chunkSize: size }),
    renewed: (size) => (hasChanged ? encryptingSource(file, passphrase, { chunkSize: size }) : undefined),

    async slice(start, end) {
      if (start % chunkSize !== 0 || end !== Math.min(start + chunkSize, size)) {
        throw new RangeError('An envelope must be read in the chunks of its chunkSize.')
      }
      const index = start / chunkSize
      const parts: Uint8Array<ArrayBuffer>[] = []
      if (index === 0) parts.push(writeHeader(header))
      if (index < batches) parts.push(await encrypt(index))
      const tagStart = HEADER_LENGTH + file.size
      if (end > tagStart) parts.push((await tag()).subarray(Math.max(0, start - tagStart), end - tagStart))
      return parts.length === 1 && parts[0] ? parts[0] : concatenate(parts)
    },
  }
}

function readSeal(seal: Seal): EnvelopeHeader {
  const salt = fromBase64url(seal.salt, SALT_LENGTH)
  const iv = fromBase64url(seal.iv, IV_LENGTH)
  if (!salt || !iv) throw new RangeError('Invalid seal.')
  return { salt, iv }
}

/** The results of encrypting the batches of a file under one seal. */
interface Ledger {
  /** Returns the sum of a chunk's batch; undefined until it is encrypted. */
  sumOf(index: number): FieldElement | undefined
  /** Throws `changed` if a chunk differs from earlier results for it or its neighbors. */
  note(index: number, chunk: EncryptedChunk): void
}

/**
 * Records the sum of each batch: encrypting other bytes under the same key and IV would reveal both. A batch of different
 * bytes has a different sum, except with a probability of 2^-108.
 */
function createLedger(): Ledger {
  const sums = new Map<number, FieldElement>()
  const heads = new Map<number, string>()

  function assertSame<T>(known: Map<number, T>, index: number, value: T): void {
    if (known.has(index) && known.get(index) !== value) throw new VaultFailure('changed')
    known.set(index, value)
  }

  return {
    sumOf: (index) => sums.get(index),
    note(index, { sum, head, edge }) {
      assertSame(sums, index, sum)
      if (head) assertSame(heads, index, head)
      if (edge) assertSame(heads, index + 1, edge)
    },
  }
}
