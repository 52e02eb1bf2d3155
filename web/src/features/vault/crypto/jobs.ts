import { release } from './bytes.ts'
import { type ChunkOrder, encryptChunk } from './encrypt-chunk.ts'
import type { FileKey } from './file-key.ts'
import { decryptSegment, type Segment } from './gcm.ts'

interface SegmentOrder {
  readonly key: FileKey
  readonly iv: Uint8Array<ArrayBuffer>
  readonly first: number
  readonly ciphertext: Uint8Array<ArrayBuffer>
}

/** What is done away from the page. */
export const jobs = {
  encryptChunk: (order: ChunkOrder) => encryptChunk(order),
  async decryptSegment({ key, iv, first, ciphertext }: SegmentOrder): Promise<Segment> {
    const segment = await decryptSegment(key, iv, first, ciphertext)
    release(ciphertext)
    return segment
  },
}

export type JobName = keyof typeof jobs
export type JobInput<N extends JobName> = Parameters<(typeof jobs)[N]>[0]
export type JobOutput<N extends JobName> = Awaited<ReturnType<(typeof jobs)[N]>>
