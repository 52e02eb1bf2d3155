import type { ParsedInputOf } from '@alcove/contract/call'
import { UPLOAD_TTL } from '@alcove/contract/limits'
import type { uploadChunk } from '@alcove/contract/uploads'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { StagedChunk } from '../../../platform/blobs/blob-store.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { UploadRow } from '../../../platform/db/tables.ts'
import { isBeingReceived, lockOpenUpload } from '../own-upload.ts'
import { insertChunk, removeChunk } from './chunk-rows.ts'
import { type ChunkClaim, offsetOf, renewReservation } from './claim-chunk.ts'

type ChunkInput = ParsedInputOf<typeof uploadChunk>

/**
 * Records that a chunk is on stable storage, and releases space that was reserved beyond its size. Throws if the upload has got
 * another blob since the chunk was claimed, because the chunk was sent again: these bytes are not in it.
 */
export function recordChunk(
  ctx: UserContext,
  input: ChunkInput,
  { blobKey }: ChunkClaim,
  chunk: { size: number; isParked: boolean },
): Promise<void> {
  return ctx.db.transaction().execute(async (tx) => {
    const upload = await lockOpenUpload(tx, ctx.user, input.uploadId)
    if (upload.blob_key !== blobKey) throw isBeingReceived()
    await agreeOnChunkSize(tx, upload, input.chunkIndex, chunk.size)
    // If the same chunk was sent twice, the last one counts, and counts once.
    const before = await removeChunk(tx, upload.id, input.chunkIndex)
    const { size, isParked } = chunk
    await insertChunk(tx, { uploadId: upload.id, index: input.chunkIndex, size, isParked: isParked ? 1 : 0 })
    const received = upload.received_bytes + chunk.size - (before?.size ?? 0)
    await tx
      .updateTable('uploads')
      .set({ received_bytes: received, expires_at: ctx.clock.now() + UPLOAD_TTL })
      .where('id', '=', upload.id)
      .execute()
    // The announced size has been reserved since the upload began, and no more is written.
    if (upload.total_size !== null) return
    await tx
      .deleteFrom('arriving_chunks')
      .where('upload_id', '=', upload.id)
      .where('chunk_index', '=', input.chunkIndex)
      .execute()
    await renewReservation(tx, upload)
  })
}

/**
 * Places a staged chunk and records it. Every chunk but the last reveals its offset by its size. The last one, if it
 * arrives first and no size was announced, is parked until the upload is completed.
 */
export async function placeChunk(
  ctx: UserContext,
  input: ChunkInput,
  claim: ChunkClaim,
  staged: StagedChunk,
): Promise<void> {
  // The chunk size is settled before any byte is placed, because a different size would overwrite a neighbour.
  const upload = await ctx.db.transaction().execute(async (tx) => {
    const open = await lockOpenUpload(tx, ctx.user, input.uploadId)
    return agreeOnChunkSize(tx, open, input.chunkIndex, staged.size)
  })
  const offset = findOffset(upload, input.chunkIndex, staged.size)
  await ctx.blobs.placeChunk(claim.blobKey, { index: input.chunkIndex, offset }, staged)
  await recordChunk(ctx, input, claim, { size: staged.size, isParked: offset === undefined })
}

function findOffset(upload: UploadRow, index: number, size: number): number | undefined {
  if (index === 0) return 0
  const offset = offsetOf(upload, index)
  if (offset !== undefined || upload.total_size === null) return offset
  return upload.total_size - size
}

/** Settles the chunk size: the first chunk to arrive sets it, and all others but the last must have it. */
async function agreeOnChunkSize(tx: Tx, upload: UploadRow, index: number, size: number): Promise<UploadRow> {
  const isLast = index === upload.total_chunks - 1
  if (isLast) return upload
  if (size === 0) throw new AppError('malformed', 'Only the last chunk of an upload may be empty.')
  if (upload.chunk_size === size) return upload
  if (upload.chunk_size !== null) {
    throw new AppError(
      'malformed',
      `Every chunk but the last must have the same size: ${upload.chunk_size} bytes here, not ${size}.`,
    )
  }
  await tx.updateTable('uploads').set({ chunk_size: size }).where('id', '=', upload.id).execute()
  return { ...upload, chunk_size: size }
}
