import type { ParsedInputOf } from '@alcove/contract/call'
import type { File } from '@alcove/contract/items'
import { MAX_CHUNK_SIZE, UPLOAD_TTL } from '@alcove/contract/limits'
import type { uploadChunk } from '@alcove/contract/uploads'
import type { UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { createBlobKey } from '../../platform/blobs/blob-key.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { UploadRow } from '../../platform/db/tables.ts'
import { changeQuota } from '../../tree/quota.ts'
import { assertNameFree } from './describe-conflict.ts'
import { openDestination, readDestination } from './destination.ts'
import { findOwnUpload, lockUpload, uploadCompleted } from './own-upload.ts'
import { presentUploaded } from './present-uploaded.ts'

type ChunkInput = ParsedInputOf<typeof uploadChunk>

/** Leave to write a chunk. */
export interface ChunkClaim {
  blobKey: string
  /** Where it belongs; undefined while that depends on sizes not known yet. */
  offset: number | undefined
  /** Beyond this it would run into the next chunk. */
  maxSize: number
  /** The upload is complete already, and asked to be completed once more: this is what it became. */
  file?: File
}

/**
 * Opens the upload with its first chunk, reserving the room it announces, or finds it open. A chunk that was there counts
 * as missing from now on until it has arrived again, so that a file is never completed over bytes half overwritten.
 */
export function claimChunk(ctx: UserContext, input: ChunkInput): Promise<ChunkClaim> {
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await findOwnUpload(tx, ctx.user, input.uploadId))) await openUpload(ctx, tx, input)
    // Under the lock: where it is just being completed, this waits and then finds it complete.
    const upload = await lockUpload(tx, ctx.user, input.uploadId)
    if (upload.completed_at !== null) {
      if (!input.complete) throw uploadCompleted()
      return { blobKey: upload.blob_key, offset: 0, maxSize: 0, file: await presentUploaded(tx, ctx.user, upload) }
    }
    assertSameUpload(upload, input)
    await forgetChunk(tx, upload, input.chunkIndex)
    const isLast = input.chunkIndex === upload.total_chunks - 1
    return {
      blobKey: upload.blob_key,
      offset: input.chunkIndex === 0 ? 0 : offsetOf(upload, input.chunkIndex),
      maxSize: isLast ? MAX_CHUNK_SIZE : (upload.chunk_size ?? MAX_CHUNK_SIZE),
    }
  })
}

/** Where a chunk begins, if the size of the chunks is known. */
export function offsetOf(upload: Pick<UploadRow, 'chunk_size'>, index: number): number | undefined {
  return upload.chunk_size === null ? undefined : index * upload.chunk_size
}

async function openUpload(ctx: UserContext, tx: Tx, input: ChunkInput): Promise<void> {
  const destination = readDestination(input)
  const place = await openDestination(tx, ctx.user, destination)
  // A large file that cannot land as it is says so before its bytes are sent.
  if (destination.onConflict === 'fail') await assertNameFree(ctx, tx, destination, input.filename)
  const reserved = input.totalSize ?? 0
  const opened = await tx
    .insertInto('uploads')
    .values({
      id: input.uploadId,
      owner_id: ctx.user.id,
      filename: input.filename,
      total_chunks: input.totalChunks,
      total_size: input.totalSize ?? null,
      chunk_size: input.chunkSize ?? null,
      received_bytes: 0,
      reserved_bytes: reserved,
      area: place.area,
      folder_id: destination.folderId ?? null,
      folders: JSON.stringify(destination.folders),
      on_conflict: destination.onConflict,
      blob_key: createBlobKey(),
      vault_check: destination.vaultCheck ?? null,
      item_id: null,
      completed_at: null,
      expires_at: ctx.clock.now() + UPLOAD_TTL,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  // Where another chunk of the same upload was first, that one has reserved the room.
  const isNew = opened.numInsertedOrUpdatedRows === 1n
  if (isNew && reserved > 0) await changeQuota(tx, ctx.user.id, { reserved })
}

function assertSameUpload(upload: UploadRow, input: ChunkInput): void {
  if (upload.total_chunks !== input.totalChunks) {
    throw new AppError('state_conflict', `This upload was started with ${upload.total_chunks} chunks.`)
  }
  if (input.totalSize !== undefined && upload.total_size !== null && input.totalSize !== upload.total_size) {
    throw new AppError('state_conflict', `This upload was started with a size of ${upload.total_size} bytes.`)
  }
  if (input.chunkSize !== undefined && upload.chunk_size !== null && input.chunkSize !== upload.chunk_size) {
    throw new AppError('state_conflict', `This upload was started with chunks of ${upload.chunk_size} bytes.`)
  }
}

async function forgetChunk(tx: Tx, upload: UploadRow, index: number): Promise<void> {
  const forgotten = await tx
    .deleteFrom('upload_chunks')
    .where('upload_id', '=', upload.id)
    .where('chunk_index', '=', index)
    .returning('size')
    .executeTakeFirst()
  if (!forgotten) return
  await tx
    .updateTable('uploads')
    .set((eb) => ({ received_bytes: eb('received_bytes', '-', forgotten.size) }))
    .where('id', '=', upload.id)
    .execute()
}
