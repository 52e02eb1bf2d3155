import { toBase64url } from './base64url.ts'
import { BLOCK_LENGTH } from './envelope.ts'
import type { FieldElement } from './field.ts'
import type { FileKey } from './file-key.ts'
import { applyKeystream, encryptSegment, type SegmentPlace } from './gcm.ts'
import { VaultFailure } from './vault-failure.ts'

/** The part of a file that one chunk of its envelope carries, in bytes of the file. */
export interface ChunkPart {
  /** The segment is encrypted whole, from `start` to `end`. */
  readonly start: number
  readonly end: number
  /** The chunk begins here: what lies between `start` and this ended the chunk before. */
  readonly from: number
  /** The chunk ends here: what lies between `end` and this is the beginning of the next segment. */
  readonly to: number
}

export interface ChunkOrder {
  readonly file: Blob
  readonly key: FileKey
  readonly place: SegmentPlace
  readonly part: ChunkPart
}

export interface EncryptedChunk {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly sum: FieldElement
  /** The first bytes of this segment, and of the next one, that lie in the chunk before each. */
  readonly head: string
  readonly edge: string
}

/**
 * Encrypts what a chunk carries. Chunks do not end between two blocks, since the header before them is 28 bytes long, but
 * segments must; so a chunk leaves out the first few bytes of its segment and ends with those of the next.
 */
export async function encryptChunk({ file, key, place, part }: ChunkOrder): Promise<EncryptedChunk> {
  const { start, end, from, to } = part
  const plain = await readBytes(file, start, to)
  const next = Math.ceil(end / BLOCK_LENGTH)
  const [segment, edge] = await Promise.all([
    encryptSegment(key, place, plain.subarray(0, end - start)),
    applyKeystream(key, place.iv, next, plain.subarray(end - start)),
  ])
  // The segment's own tag, which lies behind it and has to stay here, makes room for the edge.
  const sealed = new Uint8Array(segment.bytes.buffer)
  sealed.fill(0, end - start)
  sealed.set(edge, end - start)
  return {
    bytes: sealed.subarray(from - start, to - start),
    sum: segment.sum,
    head: toBase64url(sealed.subarray(0, from - start)),
    edge: toBase64url(edge),
  }
}

async function readBytes(file: Blob, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await file
    .slice(start, end)
    .arrayBuffer()
    .catch((cause: unknown) => {
      throw new VaultFailure('unreadable', cause)
    })
  if (bytes.byteLength !== end - start) throw new VaultFailure('changed')
  return new Uint8Array(bytes)
}
