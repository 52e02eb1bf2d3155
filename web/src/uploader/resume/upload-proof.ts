import type { Transfer } from '../engine/upload-entries.ts'
import type { UploadSource } from '../engine/upload-source.ts'
import { digestChunk } from '../transport/chunk-digest.ts'
import { chunkRange } from '../transport/chunk-plan.ts'
import type { UnfinishedUploads } from './unfinished-uploads.ts'

/**
 * Compares a file that was chosen again with the chunks the server has. Returns the chunks proved to be the same, or
 * undefined when one differs, because the file has changed. A chunk without a digest is in neither set: it is sent again.
 *
 * An encrypted upload resumes under its seal only where every chunk that ever left the browser is proved, received or
 * not: other bytes under the same seal would reveal both. Without readable digests nothing is proved.
 */
export async function proveChunks(
  { uploadId, plan }: Transfer,
  source: UploadSource,
  received: readonly number[],
  unfinished: UnfinishedUploads,
): Promise<Set<number> | undefined> {
  const known = await unfinished.listChunks(uploadId)
  if (source.seal && known === undefined) return undefined
  const digests = known ?? new Map<number, string>()
  if (source.seal && received.some((index) => !digests.has(index))) return undefined
  const proven = new Set<number>()
  for (const index of source.seal ? digests.keys() : received) {
    const digest = digests.get(index)
    if (digest === undefined) continue
    const { start, end } = chunkRange(plan, index)
    const chunk = await source.slice(start, end)
    if ((await digestChunk(chunk)) !== digest) return undefined
    proven.add(index)
  }
  return proven
}
