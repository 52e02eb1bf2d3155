import { MAX_CHUNK_SIZE, MAX_CHUNKS, MEBIBYTE } from '@alcove/contract/limits'

/** How a file is cut: every chunk but the last has `chunkSize` bytes, and an empty file is one empty chunk. */
export interface ChunkPlan {
  readonly size: number
  readonly chunkSize: number
  readonly totalChunks: number
}

/**
 * The plan for a file of `size` bytes: chunks of the preferred size, or of as many whole mebibytes as it takes to stay
 * within the greatest number of chunks. A file that no chunk size can carry has more; see `isSendable`.
 */
export function planChunks(size: number, preferredChunkSize: number): ChunkPlan {
  const least = Math.ceil(size / MAX_CHUNKS / MEBIBYTE) * MEBIBYTE
  const chunkSize = Math.min(Math.max(preferredChunkSize, least), MAX_CHUNK_SIZE)
  return { size, chunkSize, totalChunks: Math.max(1, Math.ceil(size / chunkSize)) }
}

/** Whether a plan stays within the limits of the server. */
export function isSendable(plan: ChunkPlan): boolean {
  return plan.totalChunks <= MAX_CHUNKS
}

/** Where a chunk lies in its file: from `start` up to, and without, `end`. */
export function chunkRange(plan: ChunkPlan, chunkIndex: number): { start: number; end: number } {
  const start = chunkIndex * plan.chunkSize
  return { start, end: Math.min(start + plan.chunkSize, plan.size) }
}

export function chunkLength(plan: ChunkPlan, chunkIndex: number): number {
  const { start, end } = chunkRange(plan, chunkIndex)
  return end - start
}
