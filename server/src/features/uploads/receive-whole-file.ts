import type { Readable } from 'node:stream'
import type { ParsedInputOf } from '@alcove/contract/call'
import type { File } from '@alcove/contract/items'
import { MAX_CHUNK_SIZE, UPLOAD_TTL } from '@alcove/contract/limits'
import { uploadChunk } from '@alcove/contract/uploads'
import type { UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { createBlobKey } from '../../platform/blobs/blob-key.ts'
import type { IncomingForm } from '../../platform/http/incoming-form.ts'
import { changeTree } from '../../tree/change-tree.ts'
import { presentFile } from '../../tree/present-item.ts'
import { assertRoomFor } from '../../tree/quota.ts'
import { openDestination, readDestination } from './destination.ts'
import { landFile } from './land-file.ts'
import { findOwnUpload } from './own-upload.ts'
import { collectBytes, reading } from './reading.ts'

type ChunkInput = ParsedInputOf<typeof uploadChunk>

/** A file of up to this size may wait in memory until it is whole. */
const SMALL = 64 * 1024

/** From this size on it is worth looking first whether the bytes can be kept at all. */
const WORTH_ASKING = 1024 * 1024

/** Whether a chunk is a whole file, to be completed at once: then one transaction is all it takes. */
export function isWholeFile(input: ChunkInput): boolean {
  return input.totalChunks === 1 && input.complete === true
}

/**
 * Takes a whole file in with one request and one transaction, as ten thousand small files of a folder want it. Answers
 * undefined, without having read any bytes, when the upload has begun otherwise.
 */
export async function receiveWholeFile(
  ctx: UserContext,
  early: ChunkInput,
  form: IncomingForm,
): Promise<{ status: 201; body: File } | undefined> {
  if (await findOwnUpload(ctx.db, ctx.user, early.uploadId)) return undefined
  if (early.totalSize === undefined || early.totalSize > WORTH_ASKING) {
    await openDestination(ctx.db, ctx.user, readDestination(early))
    await assertRoomFor(ctx.db, ctx.user, early.totalSize ?? 0)
  }
  const blobKey = createBlobKey()
  try {
    const size = await receiveBytes(ctx, early, blobKey, form.file)
    const fields = await form.readRest()
    // Where nothing came after the bytes, all has been read already.
    const input = fields === form.fields ? early : uploadChunk.input.parse(fields)
    if (input.totalSize !== undefined && input.totalSize !== size) {
      throw new AppError('size_mismatch', `${size} bytes have arrived, but ${input.totalSize} were announced.`)
    }
    return { status: 201, body: await land(ctx, input, blobKey, size) }
  } catch (error) {
    // After a refusal there is no row. After a fault there may be one: then the bytes are left to the sweep.
    if (error instanceof AppError) await ctx.blobs.remove(blobKey)
    throw error
  }
}

/** Small files are written in one go, all others as they come. */
async function receiveBytes(ctx: UserContext, early: ChunkInput, blobKey: string, bytes: Readable): Promise<number> {
  if (early.totalSize === undefined || early.totalSize > SMALL) {
    return reading(ctx.blobs.writeChunk(blobKey, { index: 0, offset: 0 }, bytes, MAX_CHUNK_SIZE))
  }
  const content = await reading(collectBytes(bytes, SMALL))
  await ctx.blobs.writeWhole(blobKey, content)
  return content.length
}

async function land(ctx: UserContext, input: ChunkInput, blobKey: string, size: number) {
  const destination = readDestination(input)
  const item = await changeTree(ctx, async (tx) => {
    const landed = await landFile(ctx, tx, { filename: input.filename, size, blobKey, destination, reserved: 0 })
    const now = ctx.clock.now()
    const noted = await tx
      .insertInto('uploads')
      .values({
        id: input.uploadId,
        owner_id: ctx.user.id,
        filename: input.filename,
        total_chunks: 1,
        total_size: size,
        chunk_size: null,
        received_bytes: size,
        reserved_bytes: 0,
        area: landed.area,
        folder_id: destination.folderId ?? null,
        folders: JSON.stringify(destination.folders),
        on_conflict: destination.onConflict,
        blob_key: blobKey,
        item_id: landed.id,
        completed_at: now,
        expires_at: now + UPLOAD_TTL,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    // The same upload came in twice at once: the other one stands.
    if (noted.numInsertedOrUpdatedRows === 0n) {
      throw new AppError('state_conflict', 'This upload is just being received. Please ask for it again.')
    }
    return landed
  })
  return presentFile(item, ctx.user)
}
