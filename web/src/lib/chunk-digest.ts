import { MEBIBYTE } from '@alcove/contract/limits'
import type { UploadSource } from './upload-source.ts'

/** So much of a chunk is in memory at once. */
const BLOCK = 4 * MEBIBYTE

/**
 * A digest of a part of a file: the SHA-256 of the SHA-256s of its blocks, so that no whole chunk is ever in memory.
 * Undefined where the browser has no cryptography, as on a page that came by plain HTTP.
 */
export async function digestRange(source: UploadSource, start: number, end: number): Promise<string | undefined> {
  const { subtle } = crypto
  if (!subtle) return undefined
  const blocks: ArrayBuffer[] = []
  for (let from = start; from < end; from += BLOCK) {
    const block = await source.slice(from, Math.min(from + BLOCK, end))
    blocks.push(await subtle.digest('SHA-256', await block.arrayBuffer()))
  }
  const digest = await subtle.digest('SHA-256', await new Blob(blocks).arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
