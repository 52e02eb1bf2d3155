import { toBase64url } from './base64url.ts'
import { delay } from './delay.ts'
import { BLOCK_LENGTH } from './envelope.ts'
import type { FieldElement } from './field.ts'
import type { FileKey } from './file-key.ts'
import { applyKeystream } from './gcm.ts'
import { encryptBatch } from './segment-batch.ts'
import { VaultFailure } from './vault-failure.ts'

/** Before a part that could not be read is tried once more, in milliseconds. */
const READ_AGAIN = 300

/** The part of a file that one chunk of its envelope carries, in bytes of the file. */
export interface ChunkPart {
  /** Its stretch is encrypted whole, from `start` to `end`. */
  readonly start: number
  readonly end: number
  /** The chunk begins here: what lies between `start` and this ended the chunk before. */
  readonly from: number
  /** The chunk ends here: what lies between `end` and this is the beginning of the next stretch. */
  readonly to: number
}

export interface ChunkOrder {
  readonly file: Blob
  readonly key: FileKey
  readonly iv: Uint8Array<ArrayBuffer>
  readonly part: ChunkPart
}

export interface EncryptedChunk {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly sum: FieldElement
  /** The first bytes of this stretch, and of the next one, that lie in the chunk before each. */
  readonly head: string
  readonly edge: string
}

/**
 * Encrypts what a chunk carries. Chunks do not end between two blocks, since the header before them is 28 bytes long, but
 * stretches must; so a chunk leaves out the first few bytes of its stretch and ends with those of the next.
 */
export async function encryptChunk({ file, key, iv, part }: ChunkOrder): Promise<EncryptedChunk> {
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
  // Chromium fails once in a while on a busy machine; what has really changed or gone fails again.
  const again = () => delay(READ_AGAIN, undefined).then(read)
  const bytes = await read()
    .catch(again)
    .catch((cause: unknown) => {
      throw new VaultFailure('unreadable', cause)
    })
  if (bytes.byteLength !== end - start) throw new VaultFailure('changed')
  return new Uint8Array(bytes)
}
