import { MEBIBYTE } from '@alcove/contract/limits'
import type { ChunkBytes } from '../engine/upload-source.ts'

/** So much of a chunk is in memory at once. */
const BLOCK = 4 * MEBIBYTE

/**
 * A digest of a chunk: the SHA-256 of the SHA-256s of its blocks, so that no whole chunk of a file is ever in memory.
 * Undefined where the browser has no cryptography, as on a page that came by plain HTTP.
 */
export async function digestChunk(chunk: ChunkBytes): Promise<string | undefined> {
  const { subtle } = crypto
  if (!subtle) return undefined
  const blocks: ArrayBuffer[] = []
  const size = chunk instanceof Blob ? chunk.size : chunk.length
  for (let from = 0; from < size; from += BLOCK) {
    const block =
      chunk instanceof Blob ? chunk.slice(from, from + BLOCK).arrayBuffer() : chunk.subarray(from, from + BLOCK)
    blocks.push(await subtle.digest('SHA-256', await block))
  }
  const digest = await subtle.digest('SHA-256', await new Blob(blocks).arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
