import { fromBase64url, toBase64url } from './base64url.ts'
import { concatenate } from './concatenate.ts'
import type { ChunkPart, EncryptedChunk } from './encrypt-chunk.ts'
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
import { createLedger } from './ledger.ts'
import { VaultFailure } from './vault-failure.ts'
import { runJob } from './worker-pool.ts'

export interface EncryptingOptions {
  /** The size of the chunks that will be asked for, as the plan of the upload has it: a multiple of 16, at least 64. */
  readonly chunkSize: number
  /** Of an earlier upload of the very same bytes, which is to go on. Without it both are made anew. */
  readonly seal?: Seal
}

/**
 * A file as its envelope, for the uploader (`UploadSource` of lib/): the chunks are encrypted when they are asked for, in
 * any order, several at once and again, in constant memory, and the same chunk always has the same bytes: it rejects
 * with `changed` where the file no longer gives them.
 */
export interface EncryptingSource {
  readonly name: string
  /** Of the envelope. */
  readonly size: number
  readonly lastModified: number
  /** What may be written down so that the upload can go on after a reload. */
  readonly seal: Seal
  /** One whole chunk, cut as `chunkSize` said. */
  slice(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>
  /** Derives the key if it has not been: what the server keeps beside the file as `vaultCheck`. */
  checkValue(): Promise<string>
  /** The same file under the seal of an earlier upload. Whether that upload had the same bytes is for its digests to say. */
  withSeal(seal: Seal, chunkSize: number): EncryptingSource
  /** The same file, as it is now, under a new seal, once this source has rejected with `changed`; until then undefined. */
  renewed(chunkSize: number): EncryptingSource | undefined
}

/** Stretches begin this far before the chunks, counted from the end of the header: the next whole block before them. */
const SHIFT = Math.ceil(HEADER_LENGTH / BLOCK_LENGTH) * BLOCK_LENGTH

/** Throws `too-large` at once. The key is derived with the first chunk, so a folder of thousands can be given at once. */
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

  /** Encrypts the stretch of a chunk, and holds it against what was made of it before. */
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

  /** The tag of the whole. What was sent before a reload, and so not encrypted in this session, is encrypted for it. */
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
        throw new RangeError('An envelope is read in the chunks that it was made for.')
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
  if (!salt || !iv) throw new RangeError('This is no seal.')
  return { salt, iv }
}
