import type { ParsedInputOf } from '@alcove/contract/call'
import { MAX_CHUNK_SIZE, MAX_OPEN_UPLOADS, UPLOAD_TTL } from '@alcove/contract/limits'
import type { UploadedFile, uploadChunk } from '@alcove/contract/uploads'
import type { SessionUser, UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { createBlobKey } from '../../../platform/blobs/blob-store.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { UploadRow } from '../../../platform/db/tables.ts'
import { lockMembership } from '../../../platform/http/members.ts'
import { assertSpaceForItem, changeQuota, transactAndAnnounce } from '../../items/index.ts'
import { reclaimingSpace } from '../../versions/index.ts'
import { assertNameFree } from '../describe-conflict.ts'
import { assertMayWrite, openDestination, readDestination } from '../destination.ts'
import { findOwnUpload, lockUpload, presentUploaded, uploadCompleted } from '../own-upload.ts'
import { takeLinkSpace } from '../visitors/link-limits.ts'

type ChunkInput = ParsedInputOf<typeof uploadChunk>

/** Allowance for forms with unusually short headers, whose chunk is larger than estimated. In bytes. */
const ESTIMATE_SLACK = 1024

/** Permission to write a chunk. */
export interface ChunkClaim {
  blobKey: string
  /** Its offset in the file, or undefined while that depends on unknown sizes. */
  offset: number | undefined
  /** The largest size that doesn't overlap the next chunk. */
  maxSize: number
  /** The file, if the upload was already complete and is completed again. */
  file?: UploadedFile
}

/**
 * Opens the upload with its first chunk, or finds it open, and reserves quota: the announced size, or else this chunk,
 * of which `estimatedSize` bytes are expected. Old versions give way if too little is free. A chunk that had arrived counts as
 * missing until it arrives again, so that a file is never completed with half-overwritten bytes.
 */
export function claimChunk(
  ctx: UserContext,
  input: ChunkInput,
  estimatedSize: number | undefined,
): Promise<ChunkClaim> {
  return reclaimingSpace(ctx, (thinnedBytes) =>
    transactAndAnnounce(ctx, (tx) => claim(ctx, tx, { input, estimatedSize, thinnedBytes })),
  )
}

interface ClaimedChunk {
  input: ChunkInput
  estimatedSize: number | undefined
  /** The size of the versions that were deleted to make space for it. */
  thinnedBytes: number
}

async function claim(
  ctx: UserContext,
  tx: Tx,
  { input, estimatedSize, thinnedBytes }: ClaimedChunk,
): Promise<ChunkClaim> {
  if (!(await findOwnUpload(tx, ctx.user, input.uploadId))) await openUpload(ctx, tx, input)
  // Reads under the lock, so that it waits for a running completion and then finds the file.
  const upload = await lockUpload(tx, ctx.user, input.uploadId)
  if (thinnedBytes > 0) await noteThinned(tx, upload.id, thinnedBytes)
  if (upload.completed_at !== null) {
    if (!input.complete) throw uploadCompleted()
    return { blobKey: upload.blob_key, offset: 0, maxSize: 0, file: await presentUploaded(tx, ctx.user, upload) }
  }
  assertSameUpload(upload, input)
  const offset = input.chunkIndex === 0 ? 0 : offsetOf(upload, input.chunkIndex)
  const isLast = input.chunkIndex === upload.total_chunks - 1
  const maxOfChunk = isLast ? MAX_CHUNK_SIZE : (upload.chunk_size ?? MAX_CHUNK_SIZE)
  const before = await forgetChunk(tx, upload, input.chunkIndex)
  if (upload.total_size !== null) {
    // Only the announced size, which is reserved, can be written.
    const announced = upload.total_size - (offset ?? 0)
    return { blobKey: upload.blob_key, offset, maxSize: Math.max(0, Math.min(maxOfChunk, announced)) }
  }
  const expected = Math.min(estimatedSize ?? maxOfChunk, maxOfChunk)
  await reserveChunk(tx, upload, input.chunkIndex, Math.max(expected, before))
  return { blobKey: upload.blob_key, offset, maxSize: Math.min(maxOfChunk, expected + ESTIMATE_SLACK) }
}

/** Remembers the deleted versions, so that the response to the completed upload can tell about them. */
async function noteThinned(tx: Tx, uploadId: string, bytes: number): Promise<void> {
  await tx
    .updateTable('uploads')
    .set((eb) => ({ thinned_bytes: eb('thinned_bytes', '+', bytes) }))
    .where('id', '=', uploadId)
    .execute()
}

/** Returns the offset of a chunk, if the chunk size is known. */
export function offsetOf(upload: Pick<UploadRow, 'chunk_size'>, index: number): number | undefined {
  return upload.chunk_size === null ? undefined : index * upload.chunk_size
}

async function openUpload(ctx: UserContext, tx: Tx, input: ChunkInput): Promise<void> {
  const { submission, member } = ctx.user
  if (member) await lockMembership(tx, member)
  if (submission && input.totalSize === undefined) throw new AppError('malformed', 'totalSize is required.')
  const destination = readDestination(ctx.user, input)
  const place = await openDestination(tx, ctx.user, destination)
  await assertMayWrite(ctx, tx, destination, input.filename)
  // Reports a name conflict of a large file before its bytes are sent.
  if (destination.onConflict === 'fail') await assertNameFree(ctx, tx, destination, input.filename)
  if (destination.onConflict !== 'replace') await assertSpaceForItem(tx, ctx)
  const reserved = input.totalSize ?? 0
  await assertFewOpen(tx, ctx.user)
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
      folder_id: destination.folderId ?? ctx.user.appPassword?.folderId ?? null,
      folders: JSON.stringify(destination.folders),
      on_conflict: destination.onConflict,
      blob_key: createBlobKey(),
      vault_check: destination.vaultCheck ?? null,
      modified_at: destination.lastModified ?? null,
      item_id: null,
      completed_at: null,
      expires_at: ctx.clock.now() + UPLOAD_TTL,
      submission_id: submission?.id ?? null,
      link_id: submission?.linkId ?? null,
      member_id: member?.id ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  // If another chunk of the same upload was faster, it has reserved the space.
  const isNew = opened.numInsertedOrUpdatedRows === 1n
  if (isNew && reserved > 0) await changeQuota(tx, ctx.user.id, { reserved })
  const file = { filename: input.filename, size: reserved, uploadId: input.uploadId }
  if (isNew) await takeLinkSpace(ctx, tx, file, { isComplete: false })
}

/**
 * Throws if a user has reached the limit of open uploads. It keeps abandoned uploads from filling the tables. Those of visitors are
 * counted for each link, and those of members of shared folders for each of them, so that they keep nobody else from uploading.
 */
export async function assertFewOpen(tx: Tx, { id, submission, member }: SessionUser): Promise<void> {
  const { open } = await tx
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('owner_id', '=', id)
    .where('link_id', submission ? '=' : 'is', submission?.linkId ?? null)
    .where('member_id', member ? '=' : 'is', member?.id ?? null)
    .where('completed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(open) < MAX_OPEN_UPLOADS) return
  throw new AppError(
    'too_many_requests',
    `You have ${MAX_OPEN_UPLOADS} unfinished uploads. Finish or cancel some of them, then try again.`,
    { retryAfterSeconds: 60 },
  )
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

/**
 * Reserves space for a chunk of an upload without an announced size, replacing its earlier reservation. The upload must
 * be locked. Throws 'over quota' before any byte is written.
 */
async function reserveChunk(tx: Tx, upload: UploadRow, index: number, size: number): Promise<void> {
  await tx
    .insertInto('arriving_chunks')
    .values({ upload_id: upload.id, chunk_index: index, size })
    .onConflict((conflict) => conflict.columns(['upload_id', 'chunk_index']).doUpdateSet({ size }))
    .execute()
  await renewReservation(tx, upload)
}

/**
 * Updates the reservation of a locked upload without an announced size to the bytes that have arrived or are in flight.
 * `upload` is the row as it was when it was locked.
 */
export async function renewReservation(tx: Tx, upload: UploadRow): Promise<void> {
  const { reserved_bytes } = await tx
    .updateTable('uploads')
    .set((eb) => ({
      reserved_bytes: eb(
        'received_bytes',
        '+',
        eb
          .selectFrom('arriving_chunks')
          .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('size'), lit(0)).as('size'))
          .where('upload_id', '=', upload.id),
      ),
    }))
    .where('id', '=', upload.id)
    .returning('reserved_bytes')
    .executeTakeFirstOrThrow()
  const more = reserved_bytes - upload.reserved_bytes
  if (more !== 0) await changeQuota(tx, upload.owner_id, { reserved: more })
}

/** Marks a chunk as missing. Returns how many bytes of it had arrived. */
async function forgetChunk(tx: Tx, upload: UploadRow, index: number): Promise<number> {
  const forgotten = await tx
    .deleteFrom('upload_chunks')
    .where('upload_id', '=', upload.id)
    .where('chunk_index', '=', index)
    .returning('size')
    .executeTakeFirst()
  if (!forgotten) return 0
  await tx
    .updateTable('uploads')
    .set((eb) => ({ received_bytes: eb('received_bytes', '-', forgotten.size) }))
    .where('id', '=', upload.id)
    .execute()
  return forgotten.size
}
