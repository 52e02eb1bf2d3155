import { digestChunk } from './chunk-digest.ts'
import { chunkRange } from './chunk-plan.ts'
import type { UnfinishedUploads } from './unfinished-uploads.ts'
import type { Transfer } from './upload-entries.ts'
import type { UploadSource } from './upload-source.ts'

/**
 * Compares a file that was chosen again with the chunks of it that the server has: gives those that are proved to be the
 * same, or undefined when one is not, for then the file has changed. A chunk that was sent without leaving a digest is
 * in neither: it is sent again.
 *
 * What is encrypted goes on under its seal only where every chunk that ever left the browser is proved, received or not:
 * other bytes under the same seal would give the old ones away.
 */
export async function proveChunks(
  { uploadId, plan }: Transfer,
  source: UploadSource,
  received: readonly number[],
  unfinished: UnfinishedUploads,
): Promise<Set<number> | undefined> {
  const digests = await unfinished.listChunks(uploadId)
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
