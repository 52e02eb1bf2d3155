import { calls } from '@alcove/contract/calls'
import { MAX_MISSING_LISTED } from '@alcove/contract/limits'
import type { UploadedFile } from '@alcove/contract/uploads'
import type { UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import type { UploadRow } from '../../platform/db/tables.ts'
import { endpoint } from '../../platform/http/api.ts'
import { lockTree, transactAndAnnounce } from '../items/index.ts'
import { onlySha256 } from '../storage/index.ts'
import { isInFlight } from './chunks/chunks-in-flight.ts'
import { offsetOf } from './chunks/claim-chunk.ts'
import { commitFile, digestArrival } from './commit-file.ts'
import { describeConflict } from './describe-conflict.ts'
import { type DestinationInput, destinationOf, readDestination } from './destination.ts'
import { findOwnUpload, getOwnUpload, lockOpenUpload, presentUploaded, presentUploadedFile } from './own-upload.ts'
import { forVisitors } from './visitors/for-visitors.ts'

interface CompletionInput extends DestinationInput {
  uploadId: string
  filename?: string | undefined
}

interface Chunk {
  chunk_index: number
  size: number
  is_parked: number
}

export const completeUpload = endpoint(calls.completeUpload, forVisitors(finishUpload))

/**
 * Creates the file of an upload whose chunks have all arrived, without copying bytes. Repeating it returns the same
 * file.
 */
export async function finishUpload(ctx: UserContext, input: CompletionInput): Promise<UploadedFile> {
  const upload = await getOwnUpload(ctx.db, ctx.user, input.uploadId)
  if (upload.completed_at !== null) return presentUploaded(ctx.db, ctx.user, upload)
  try {
    const chunks = await listChunks(ctx.db, upload.id)
    assertWhole(upload, chunks)
    await unparkChunks(ctx, upload, chunks)
    await ctx.blobs.seal(
      upload.blob_key,
      chunks.map((chunk) => chunk.size),
    )
    const destination = readDestination(ctx.user, input, destinationOf(upload))
    const filename = input.filename ?? upload.filename
    const arrived = { destination, filename, size: upload.received_bytes, blobKey: upload.blob_key }
    return await commit(ctx, input, await digestArrival(ctx, arrived))
  } catch (error) {
    // Another request may have completed the upload in the meantime and removed chunks and staged bytes. In that case
    // its result counts, whatever failed here.
    const now = await findOwnUpload(ctx.db, ctx.user, input.uploadId)
    if (now && now.completed_at !== null) return presentUploaded(ctx.db, ctx.user, now)
    const destination = readDestination(ctx.user, input, destinationOf(upload))
    throw await describeConflict(ctx, error, destination, input.filename ?? upload.filename)
  }
}

async function commit(ctx: UserContext, input: CompletionInput, sha256: string | null): Promise<UploadedFile> {
  return await transactAndAnnounce(ctx, async (tx) => {
    const upload = await lockOpenUpload(tx, ctx.user, input.uploadId)
    // Checks again under the lock, because a chunk may have been sent again.
    assertWhole(upload, await listChunks(tx, upload.id))
    const destination = readDestination(ctx.user, input, destinationOf(upload))
    if (destination.onConflict === 'replace') await lockTree(tx, ctx.user.id)
    const committed = await commitFile(ctx, tx, {
      filename: input.filename ?? upload.filename,
      size: upload.received_bytes,
      blobKey: upload.blob_key,
      digests: onlySha256(sha256),
      destination,
      reserved: upload.reserved_bytes,
      uploadId: upload.id,
    })
    await tx
      .updateTable('uploads')
      .set({
        completed_at: ctx.clock.now(),
        item_id: committed.id,
        reserved_bytes: 0,
        // The bytes that were there if the same ones arrived again.
        blob_key: committed.blob_key as string,
      })
      .where('id', '=', upload.id)
      .execute()
    await tx.deleteFrom('upload_chunks').where('upload_id', '=', upload.id).execute()
    return presentUploadedFile(committed, ctx.user, upload)
  })
}

function listChunks(db: Database, uploadId: string): Promise<Chunk[]> {
  return db
    .selectFrom('upload_chunks')
    .select(['chunk_index', 'size', 'is_parked'])
    .where('upload_id', '=', uploadId)
    .orderBy('chunk_index')
    .execute()
}

function assertWhole(upload: UploadRow, recorded: readonly Chunk[]): void {
  const chunks = recorded.filter((chunk) => !isInFlight(upload.id, chunk.chunk_index))
  if (chunks.length < upload.total_chunks) {
    const missing = listMissing(upload.total_chunks, chunks)
    throw new AppError('upload_incomplete', 'Some chunks of this upload have not arrived yet.', { missing })
  }
  if (upload.total_size !== null && upload.total_size !== upload.received_bytes) {
    throw new AppError(
      'size_mismatch',
      `${upload.received_bytes} bytes have arrived, but ${upload.total_size} were announced.`,
    )
  }
}

function listMissing(total: number, chunks: readonly Chunk[]): number[] {
  const there = new Set(chunks.map((chunk) => chunk.chunk_index))
  const missing: number[] = []
  for (let index = 0; index < total && missing.length < MAX_MISSING_LISTED; index++) {
    if (!there.has(index)) missing.push(index)
  }
  return missing
}

/**
 * Places parked chunks, now that all sizes are known. After a crash half-way they are still parked and placed again.
 */
async function unparkChunks(ctx: UserContext, upload: UploadRow, chunks: readonly Chunk[]): Promise<void> {
  for (const { chunk_index, is_parked } of chunks) {
    if (is_parked === 0) continue
    const offset = offsetOf(upload, chunk_index)
    if (offset === undefined) throw new Error(`upload ${upload.id} is complete, but its chunk size is unknown`)
    await ctx.blobs.unparkChunk(upload.blob_key, { index: chunk_index, offset })
    await ctx.db
      .updateTable('upload_chunks')
      .set({ is_parked: 0 })
      .where('upload_id', '=', upload.id)
      .where('chunk_index', '=', chunk_index)
      .execute()
    await ctx.blobs.dropParkedChunk(upload.blob_key)
  }
}
