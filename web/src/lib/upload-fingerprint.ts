import { MEBIBYTE } from '@alcove/contract/limits'
import type { UploadSource } from './upload-source.ts'

const EDGE = MEBIBYTE

/**
 * The SHA-256 of a file's first and last mebibyte: cheap to take, and enough to tell that a file chosen again is the one
 * whose upload began. Undefined where the browser has no cryptography, as on a page that came by plain HTTP.
 */
export async function takeFingerprint(source: UploadSource): Promise<string | undefined> {
  const { subtle } = crypto
  if (!subtle) return undefined
  const edges = await Promise.all([
    source.slice(0, Math.min(EDGE, source.size)),
    source.slice(Math.max(0, source.size - EDGE), source.size),
  ])
  const digest = await subtle.digest('SHA-256', await new Blob(edges).arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
