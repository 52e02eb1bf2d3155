import {
  MAX_BYTES_TOGETHER,
  MAX_CHUNK_SIZE,
  MAX_CHUNKS,
  MAX_FILES_TOGETHER,
  MAX_FORM_FIELD,
  MAX_SMALL_FILE,
  MEBIBYTE,
} from '@alcove/contract/limits'
import type { SmallFile } from '@alcove/contract/uploads'
import type { ChunkFields } from './transport.ts'

/** How a file is cut: every chunk but the last has `chunkSize` bytes, and an empty file is one empty chunk. */
export interface ChunkPlan {
  readonly size: number
  readonly chunkSize: number
  readonly totalChunks: number
}

/**
 * Plans the chunks of a file of `size` bytes: they have the preferred size, or as many whole mebibytes as it takes to stay
 * within the greatest number of chunks. A file that no chunk size can carry gets more; see `isSendable`.
 */
export function planChunks(size: number, preferredChunkSize: number): ChunkPlan {
  const least = Math.ceil(size / MAX_CHUNKS / MEBIBYTE) * MEBIBYTE
  return cutInto(size, Math.min(Math.max(preferredChunkSize, least), MAX_CHUNK_SIZE))
}

/** Cuts a file into chunks of a size that has been decided before. */
export function cutInto(size: number, chunkSize: number): ChunkPlan {
  return { size, chunkSize, totalChunks: Math.max(1, Math.ceil(size / chunkSize)) }
}

/** Whether a plan stays within the limits of the server. */
export function isSendable(plan: ChunkPlan): boolean {
  return plan.totalChunks <= MAX_CHUNKS
}

/** Returns where a chunk lies in its file: from `start` up to, and without, `end`. */
export function chunkRange(plan: ChunkPlan, chunkIndex: number): { start: number; end: number } {
  const start = chunkIndex * plan.chunkSize
  return { start, end: Math.min(start + plan.chunkSize, plan.size) }
}

export function chunkLength(plan: ChunkPlan, chunkIndex: number): number {
  const { start, end } = chunkRange(plan, chunkIndex)
  return end - start
}

/** Whether these are the fields of a whole file that may share a request with others. */
export function isSmallFile({ complete, totalChunks, totalSize }: ChunkFields): boolean {
  return complete === true && totalChunks === 1 && totalSize !== undefined && Number(totalSize) <= MAX_SMALL_FILE
}

/** A small file as a request with several files describes it. */
export interface DescribedFile {
  readonly description: SmallFile
  /** Bytes of the description as JSON. */
  readonly descriptionSize: number
}

/** Describes a small file by the fields that it would have in a request of its own. */
export function describeSmallFile({
  chunkIndex,
  totalChunks,
  totalSize,
  chunkSize,
  complete,
  ...rest
}: ChunkFields): DescribedFile {
  const description: SmallFile = { ...rest, size: totalSize ?? 0 }
  return { description, descriptionSize: new TextEncoder().encode(JSON.stringify(description)).length }
}

/** Bytes that the list of descriptions takes beside them: its brackets, and a comma for each. */
const BRACKETS = 2
const COMMA = 1

/** Takes from the waiting files, in their order, as many as one request can carry. */
export function takeTogether<F extends DescribedFile & { isAlone: boolean }>(waiting: Set<F>): F[] {
  const taken: F[] = []
  let bytes = 0
  let described = BRACKETS
  for (const file of waiting) {
    bytes += Number(file.description.size)
    described += file.descriptionSize + COMMA
    const isTooMuch = bytes > MAX_BYTES_TOGETHER || described > MAX_FORM_FIELD
    if (file.isAlone || isTooMuch || taken.length === MAX_FILES_TOGETHER) break
    taken.push(file)
    waiting.delete(file)
  }
  return taken
}
