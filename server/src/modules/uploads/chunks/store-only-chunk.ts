import type { ParsedInputOf } from '@alcove/contract/call'
import type { uploadChunk } from '@alcove/contract/uploads'
import type { UserContext } from '../../../context.ts'
import { MAX_COLLECTED } from '../../../platform/blobs/blob-store.ts'
import { changeTree, transactAndAnnounce } from '../../items/index.ts'
import { reclaimingSpace } from '../../versions/index.ts'
import { findOwnUpload } from '../own-upload.ts'
import { storingBlob } from '../whole-files/storing-blob.ts'
import { openUpload } from './claim-chunk.ts'
import { chunkTooLarge } from './read-stream.ts'

type ChunkInput = ParsedInputOf<typeof uploadChunk>

/**
 * Returns whether a chunk is all of a small file and the first that is known of its upload. Then its bytes are stored as a complete
 * blob, in one transaction with its upload, which takes half the time of claiming a place for it, writing it there and recording it.
 */
export async function isOnlyChunk(
  ctx: UserContext,
  { uploadId, totalChunks }: ChunkInput,
  estimatedSize: number | undefined,
): Promise<boolean> {
  if (totalChunks > 1 || estimatedSize === undefined || estimatedSize > MAX_COLLECTED) return false
  return (await findOwnUpload(ctx.db, ctx.user, uploadId)) === undefined
}

/** Stores an only chunk and opens its upload. Returns false if another request has opened it meanwhile. */
export async function storeOnlyChunk(ctx: UserContext, input: ChunkInput, bytes: Uint8Array): Promise<boolean> {
  const size = bytes.length
  if (input.totalSize !== undefined && size > input.totalSize) throw chunkTooLarge()
  return storingBlob(ctx, async (blobKey, onCommit) => {
    await ctx.blobs.writeWhole(blobKey, bytes)
    onCommit()
    // Members are locked before the tree, so their uploads can't share its transactions.
    const transact = ctx.user.member ? transactAndAnnounce<boolean> : changeTree<boolean>
    const isStored = await reclaimingSpace(ctx, (thinnedBytes) =>
      transact(ctx, (tx) => openUpload(ctx, tx, input, { blobKey, size, thinnedBytes })),
    )
    if (!isStored) await ctx.blobs.remove(blobKey)
    return isStored
  })
}
