import { collectAfter, toBase64url } from './bytes.ts'
import { BLOCK_LENGTH } from './envelope.ts'
import type { FieldElement } from './field.ts'
import type { FileKey } from './file-key.ts'
import { applyKeystream, decryptBatch, encryptBatch } from './gcm.ts'
import { VaultFailure } from './vault-failure.ts'

interface BatchOrder {
  readonly key: FileKey
  readonly iv: Uint8Array<ArrayBuffer>
  readonly first: number
  /** The ciphertext, which is decrypted in place. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface DecryptedBatch {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly sum: FieldElement
}

/** The jobs that run in workers. */
export const jobs = {
  encryptChunk(order: ChunkOrder) {
    collectAfter(order.part.end - order.part.start)
    return encryptChunk(order)
  },
  async decryptBatch({ key, iv, first, bytes }: BatchOrder): Promise<DecryptedBatch> {
    collectAfter(bytes.length)
    return { sum: await decryptBatch(key, iv, first, bytes), bytes }
  },
}

export type JobName = keyof typeof jobs
export type JobInput<N extends JobName> = Parameters<(typeof jobs)[N]>[0]
export type JobOutput<N extends JobName> = Awaited<ReturnType<(typeof jobs)[N]>>

/** The delay before a failed read is repeated, in milliseconds. */
const READ_RETRY_DELAY = 300

/** The part of a file that one chunk of its envelope contains, in bytes of the file. */
export interface ChunkPart {
  /** The batch of the chunk, from `start` to `end`, is encrypted as a whole. */
  readonly start: number
  readonly end: number
  /** The chunk starts here: the bytes between `start` and this are the end of the previous chunk. */
  readonly from: number
  /** The chunk ends here: the bytes between `end` and this are the beginning of the next batch. */
  readonly to: number
}

interface ChunkOrder {
  readonly file: Blob
  readonly key: FileKey
  readonly iv: Uint8Array<ArrayBuffer>
  readonly part: ChunkPart
}

export interface EncryptedChunk {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly sum: FieldElement
  /** The first bytes of this batch that the previous chunk contains, and those of the next batch that this one does. */
  readonly head: string
  readonly edge: string
}

/**
 * Encrypts the content of a chunk. Because of the header of 28 bytes, chunks don't end between two blocks, but batches must.
 * So a chunk leaves out the first few bytes of its batch, and ends with those of the next.
 */
async function encryptChunk({ file, key, iv, part }: ChunkOrder): Promise<EncryptedChunk> {
  const { start, end, from, to } = part
  const bytes = await readBytes(file, start, to)
  const edge = bytes.subarray(end - start)
  edge.set(await applyKeystream(key, iv, Math.ceil(end / BLOCK_LENGTH), edge))
  const sum = await encryptBatch(key, iv, start / BLOCK_LENGTH, bytes.subarray(0, end - start))
  return {
    bytes: bytes.subarray(from - start, to - start),
    sum,
    head: toBase64url(bytes.subarray(0, from - start)),
    edge: toBase64url(edge),
  }
}

async function readBytes(file: Blob, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  const read = () => file.slice(start, end).arrayBuffer()
  // Chromium occasionally fails on a busy machine. If the file has really changed or is gone, reading fails again.
  const again = () => new Promise((resolve) => setTimeout(resolve, READ_RETRY_DELAY)).then(read)
  const bytes = await read()
    .catch(again)
    .catch((cause: unknown) => {
      throw new VaultFailure('unreadable', cause)
    })
  if (bytes.byteLength !== end - start) throw new VaultFailure('changed')
  return new Uint8Array(bytes)
}
