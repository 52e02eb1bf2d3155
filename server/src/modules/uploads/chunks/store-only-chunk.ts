import type { ParsedInputOf } from '@alcove/contract/call'
import type { uploadChunk } from '@alcove/contract/uploads'
import type { UserContext } from '../../../context.ts'
import { MAX_COLLECTED } from '../../../platform/blobs/blob-store.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { changeTree, transactAndAnnounce } from '../../items/index.ts'
import { reclaimingSpace } from '../../versions/index.ts'
import { isWithoutLimits, letNextAssertNew, UploadKnown } from '../own-upload.ts'
import { storingBlob } from '../whole-files/storing-blob.ts'
import { openUpload } from './claim-chunk.ts'
import { chunkTooLarge } from './read-stream.ts'

type ChunkInput = ParsedInputOf<typeof uploadChunk>

/**
 * Returns whether a chunk is all of a small file. Then its bytes are stored as a complete blob, in one transaction with its upload,
 * which takes half the time of claiming a place for it, writing it there and recording it.
 */
export function isOnlyChunk({ totalChunks }: ChunkInput, estimatedSize: number | undefined): boolean {
  return totalChunks === 1 && estimatedSize !== undefined && estimatedSize <= MAX_COLLECTED
}

/** Stores an only chunk and opens its upload. Returns false, and stores nothing, if the upload is known already. */
export async function storeOnlyChunk(ctx: UserContext, input: ChunkInput, bytes: Uint8Array): Promise<boolean> {
  const size = bytes.length
  if (input.totalSize !== undefined && size > input.totalSize) throw chunkTooLarge()
  return storingBlob(ctx, async (blobKey, onCommit) => {
    await ctx.blobs.writeWhole(blobKey, bytes)
    onCommit()
    const isStored = await reclaimingSpace(ctx, (thinnedBytes) => {
      const open = async (tx: Tx) => {
        // Before anything else: a chunk that is sent again is neither a conflict nor beyond a limit.
        await letNextAssertNew(tx, input.uploadId)
        return openUpload(ctx, tx, input, { blobKey, size, thinnedBytes })
      }
      // Members are locked before the tree, so their uploads can't share its transactions.
      return ctx.user.member
        ? transactAndAnnounce(ctx, open)
        : changeTree(ctx, open, { mayRunAgain: isWithoutLimits(ctx.user) })
    }).catch((error: unknown) => {
      if (error instanceof UploadKnown) return false
      throw error
    })
    if (!isStored) await ctx.blobs.remove(blobKey)
    return isStored
  })
}
