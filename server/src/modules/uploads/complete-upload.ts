import { calls } from '@alcove/contract/calls'
import { MAX_MISSING_LISTED } from '@alcove/contract/limits'
import type { UploadedFile } from '@alcove/contract/uploads'
import type { UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { MAX_COLLECTED } from '../../platform/blobs/blob-store.ts'
import type { Tx } from '../../platform/db/database.ts'
import { prepareAhead, type Value } from '../../platform/db/prepared-query.ts'
import type { UploadRow } from '../../platform/db/tables.ts'
import { endpoint } from '../../platform/http/api.ts'
import { changeTree, lockTree, runsAtOnce, transactAndAnnounce } from '../items/index.ts'
import { onlySha256 } from '../storage/index.ts'
import { type ChunkRow, listChunks, removeChunks, takeChunks } from './chunks/chunk-rows.ts'
import { isInFlight } from './chunks/chunks-in-flight.ts'
import { offsetOf } from './chunks/claim-chunk.ts'
import { commitFile, digestArrival } from './commit-file.ts'
import { describeConflict } from './describe-conflict.ts'
import { type DestinationInput, destinationOf, readDestination } from './destination.ts'
import {
  findOwnUpload,
  getOwnUpload,
  isBeingReceived,
  isWithoutLimits,
  letNextAssertLocked,
  lockOpenUpload,
  presentUploaded,
  presentUploadedFile,
  tryLockOpenUpload,
} from './own-upload.ts'
import { forVisitors } from './visitors/for-visitors.ts'

interface CompletionInput extends DestinationInput {
  uploadId: string
  filename?: string | undefined
}

export const completeUpload = endpoint(calls.completeUpload, forVisitors(finishUpload))

/**
 * Creates the file of an upload whose chunks have all arrived, without copying bytes. Repeating it returns the same
 * file.
 */
export async function finishUpload(ctx: UserContext, input: CompletionInput): Promise<UploadedFile> {
  const [upload, chunks] = await Promise.all([
    getOwnUpload(ctx.db, ctx.user, input.uploadId),
    listChunks(ctx.db, input.uploadId),
  ])
  if (upload.completed_at !== null) return presentUploaded(ctx.db, ctx.user, upload)
  try {
    assertWhole(upload, chunks)
    await unparkChunks(ctx, upload, chunks)
    await ctx.blobs.seal(
      upload.blob_key,
      chunks.map((chunk) => chunk.size),
    )
    const destination = readDestination(ctx.user, input, destinationOf(upload))
    const filename = input.filename ?? upload.filename
    const arrived = { destination, filename, size: upload.received_bytes, blobKey: upload.blob_key }
    const sha256 = await digestArrival(ctx, arrived)
    return await commit(ctx, input, upload, { blobKey: upload.blob_key, sha256 })
  } catch (error) {
    // Another request may have completed the upload in the meantime and removed chunks and staged bytes. In that case
    // its result counts, whatever failed here.
    const now = await findOwnUpload(ctx.db, ctx.user, input.uploadId)
    if (now && now.completed_at !== null) return presentUploaded(ctx.db, ctx.user, now)
    const destination = readDestination(ctx.user, input, destinationOf(upload))
    throw await describeConflict(ctx, error, destination, input.filename ?? upload.filename)
  }
}

interface Sealed {
  blobKey: string
  sha256: string | null
}

/** Small files share transactions with the other changes of the user's tree. */
async function commit(
  ctx: UserContext,
  input: CompletionInput,
  upload: UploadRow,
  sealed: Sealed,
): Promise<UploadedFile> {
  const isSmall = upload.received_bytes <= MAX_COLLECTED && isWithoutLimits(ctx.user)
  const complete = async (tx: Tx) => {
    if (runsAtOnce(tx)) {
      await letNextAssertLocked(tx, ctx.user, upload)
      return commitLocked(ctx, tx, upload, input, sealed)
    }
    const open = await tryLockOpenUpload(tx, ctx.user, input.uploadId)
    return open && commitLocked(ctx, tx, open, input, sealed)
  }
  const { onConflict } = readDestination(ctx.user, input, destinationOf(upload))
  const committed = isSmall ? await changeTree(ctx, complete, { mayRunAgain: onConflict !== 'replace' }) : undefined
  return (
    committed ??
    transactAndAnnounce(ctx, async (tx) => {
      const open = await lockOpenUpload(tx, ctx.user, input.uploadId)
      await lockTree(tx, ctx.user.id)
      return commitLocked(ctx, tx, open, input, sealed)
    })
  )
}

/** Creates the file of a locked upload. The tree must be locked too. */
async function commitLocked(
  ctx: UserContext,
  tx: Tx,
  upload: UploadRow,
  input: CompletionInput,
  sealed: Sealed,
): Promise<UploadedFile> {
  // Checks again under the lock, because a chunk may have been sent again.
  await takeChunks(tx, { uploadId: upload.id }, (chunks) => assertWhole(upload, chunks))
  // Its only chunk was sent again through another server.
  if (upload.blob_key !== sealed.blobKey) throw isBeingReceived()
  const committed = await commitFile(ctx, tx, {
    filename: input.filename ?? upload.filename,
    size: upload.received_bytes,
    blobKey: upload.blob_key,
    digests: onlySha256(sealed.sha256),
    destination: readDestination(ctx.user, input, destinationOf(upload)),
    reserved: upload.reserved_bytes,
    uploadId: upload.id,
  })
  await markCompleted(tx, {
    id: upload.id,
    now: ctx.clock.now(),
    itemId: committed.id,
    // The bytes that were there if the same ones arrived again.
    blobKey: committed.blob_key as string,
  })
  await removeChunks(tx, { uploadId: upload.id })
  return presentUploadedFile(committed, ctx.user, upload)
}

const markCompleted = prepareAhead((db, value: Value<{ id: string; now: number; itemId: string; blobKey: string }>) =>
  db
    .updateTable('uploads')
    .set({ completed_at: value('now'), item_id: value('itemId'), reserved_bytes: 0, blob_key: value('blobKey') })
    .where('id', '=', value('id')),
)

function assertWhole(upload: UploadRow, recorded: readonly ChunkRow[]): void {
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

function listMissing(total: number, chunks: readonly ChunkRow[]): number[] {
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
async function unparkChunks(ctx: UserContext, upload: UploadRow, chunks: readonly ChunkRow[]): Promise<void> {
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
