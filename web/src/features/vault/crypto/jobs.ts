import { type ChunkOrder, encryptChunk } from './encrypt-chunk.ts'
import type { FileKey } from './file-key.ts'
import { decryptSegment } from './gcm.ts'

interface SegmentOrder {
  readonly key: FileKey
  readonly iv: Uint8Array<ArrayBuffer>
  readonly first: number
  readonly ciphertext: Uint8Array<ArrayBuffer>
}

/** What is done away from the page. */
export const jobs = {
  encryptChunk: (order: ChunkOrder) => encryptChunk(order),
  decryptSegment: ({ key, iv, first, ciphertext }: SegmentOrder) => decryptSegment(key, iv, first, ciphertext),
}

export type JobName = keyof typeof jobs
export type JobInput<N extends JobName> = Parameters<(typeof jobs)[N]>[0]
export type JobOutput<N extends JobName> = Awaited<ReturnType<(typeof jobs)[N]>>
