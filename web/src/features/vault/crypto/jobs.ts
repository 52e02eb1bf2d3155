import { type ChunkOrder, encryptChunk } from './encrypt-chunk.ts'
import type { FieldElement } from './field.ts'
import type { FileKey } from './file-key.ts'
import { collectAfter } from './release.ts'
import { decryptBatch } from './segment-batch.ts'

interface BatchOrder {
  readonly key: FileKey
  readonly iv: Uint8Array<ArrayBuffer>
  readonly first: number
  /** Its ciphertext. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface DecryptedBatch {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly sum: FieldElement
}

/** What is done away from the page. */
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
