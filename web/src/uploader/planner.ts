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

/** The chunks of a file: all but the last have `chunkSize` bytes, and an empty file has one empty chunk. */
export interface ChunkPlan {
  readonly size: number
  readonly chunkSize: number
  readonly totalChunks: number
}

/**
 * Plans the chunks of a file of `size` bytes. They have the preferred size, or as many whole mebibytes as needed to
 * stay within the maximum number of chunks. A file that is too large for any chunk size exceeds it; see `isSendable`.
 */
export function planChunks(size: number, preferredChunkSize: number): ChunkPlan {
  const least = Math.ceil(size / MAX_CHUNKS / MEBIBYTE) * MEBIBYTE
  return cutInto(size, Math.min(Math.max(preferredChunkSize, least), MAX_CHUNK_SIZE))
}

/** Plans the chunks of a file with a given chunk size. */
export function cutInto(size: number, chunkSize: number): ChunkPlan {
  return { size, chunkSize, totalChunks: Math.max(1, Math.ceil(size / chunkSize)) }
}

/** Returns whether a plan stays within the limits of the server. */
export function isSendable(plan: ChunkPlan): boolean {
  return plan.totalChunks <= MAX_CHUNKS
}

/** Returns the range of a chunk in its file: from `start` up to `end`, exclusive. */
export function chunkRange(plan: ChunkPlan, chunkIndex: number): { start: number; end: number } {
  const start = chunkIndex * plan.chunkSize
  return { start, end: Math.min(start + plan.chunkSize, plan.size) }
}

export function chunkLength(plan: ChunkPlan, chunkIndex: number): number {
  const { start, end } = chunkRange(plan, chunkIndex)
  return end - start
}

/** Returns whether the fields describe a whole file that may share a request with others. */
export function isSmallFile({ complete, totalChunks, totalSize }: ChunkFields): boolean {
  return complete === true && totalChunks === 1 && totalSize !== undefined && Number(totalSize) <= MAX_SMALL_FILE
}

/** The metadata of a small file in a combined request. */
export interface DescribedFile {
  readonly description: SmallFile
  /** The size of the metadata as JSON, in bytes. */
  readonly descriptionSize: number
}

/** Returns the metadata of a small file, from the fields of a separate request. */
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

/** The bytes of the JSON list besides its elements: the brackets, and a comma for each element. */
const BRACKETS = 2
const COMMA = 1

/** Takes as many of the waiting files, in order, as fit into one request. */
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
