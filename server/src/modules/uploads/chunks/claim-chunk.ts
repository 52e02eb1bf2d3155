import type { ParsedInputOf } from '@alcove/contract/call'
import { MAX_CHUNK_SIZE, MAX_OPEN_UPLOADS, UPLOAD_TTL } from '@alcove/contract/limits'
import type { OnConflict, UploadedFile, uploadChunk } from '@alcove/contract/uploads'
import type { SessionUser, UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { createBlobKey } from '../../../platform/blobs/blob-store.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { prepareAhead, type Value } from '../../../platform/db/prepared-query.ts'
import type { Area, UploadRow } from '../../../platform/db/tables.ts'
import { lockMembership } from '../../../platform/http/members.ts'
import { changeQuota, letNextAssertSpaceForItem, prepareExpected, transactAndAnnounce } from '../../items/index.ts'
import { reclaimingSpace } from '../../versions/index.ts'
import { assertNameFree } from '../describe-conflict.ts'
import { assertMayWrite, openDestination, readDestination } from '../destination.ts'
import { findOwnUpload, lockUpload, presentUploaded, uploadCompleted } from '../own-upload.ts'
import { takeLinkSpace } from '../visitors/link-limits.ts'
import { insertChunk, removeChunk } from './chunk-rows.ts'

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
  /** The blob with the bytes that arrived before, if nothing refers to it any more. */
  replacedBlob?: string
}

/**
 * Opens the upload with its first chunk, or finds it open, and reserves quota: the announced size, or else this chunk,
 * of which `estimatedSize` bytes are expected. Old versions give way if too little is free. A chunk that had arrived counts as
 * missing until it arrives again, so that a file is never completed with half-overwritten bytes.
 */
export async function claimChunk(
  ctx: UserContext,
  input: ChunkInput,
  estimatedSize: number | undefined,
): Promise<ChunkClaim> {
  const claimed = await reclaimingSpace(ctx, (thinnedBytes) =>
    transactAndAnnounce(ctx, (tx) => claim(ctx, tx, { input, estimatedSize, thinnedBytes })),
  )
  if (claimed.replacedBlob !== undefined) {
    // The sweep removes it otherwise.
    await ctx.blobs
      .remove(claimed.replacedBlob)
      .catch((err: unknown) => ctx.log.warn({ err }, 'a replaced chunk stays'))
  }
  return claimed
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
  const blob = before === undefined ? { blobKey: upload.blob_key } : await changeBlob(tx, upload)
  if (upload.total_size !== null) {
    // Only the announced size, which is reserved, can be written.
    const announced = upload.total_size - (offset ?? 0)
    return { ...blob, offset, maxSize: Math.max(0, Math.min(maxOfChunk, announced)) }
  }
  const expected = Math.min(estimatedSize ?? maxOfChunk, maxOfChunk)
  await reserveChunk(tx, upload, input.chunkIndex, Math.max(expected, before ?? 0))
  return { ...blob, offset, maxSize: Math.min(maxOfChunk, expected + ESTIMATE_SLACK) }
}

/**
 * Gives an upload another blob if its only chunk is sent again, because the bytes may be a complete small blob, which can't be
 * written again.
 */
async function changeBlob(tx: Tx, upload: UploadRow): Promise<Pick<ChunkClaim, 'blobKey' | 'replacedBlob'>> {
  if (upload.total_chunks > 1) return { blobKey: upload.blob_key }
  const blobKey = createBlobKey()
  await tx.updateTable('uploads').set({ blob_key: blobKey }).where('id', '=', upload.id).execute()
  return { blobKey, replacedBlob: upload.blob_key }
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

/** Bytes that arrived before their upload was opened, as a complete blob. */
interface ArrivedChunk {
  blobKey: string
  size: number
  /** The size of the versions that were deleted to make space for it. */
  thinnedBytes: number
}

/**
 * Opens an upload, and records its only chunk if that has `arrived`. Returns false if another request has opened it meanwhile.
 */
export async function openUpload(
  ctx: UserContext,
  tx: Tx,
  input: ChunkInput,
  arrived?: ArrivedChunk,
): Promise<boolean> {
  const { submission, member } = ctx.user
  if (member) await lockMembership(tx, member)
  if (submission && input.totalSize === undefined) throw new AppError('malformed', 'totalSize is required.')
  const destination = readDestination(ctx.user, input)
  const place = await openDestination(tx, ctx.user, destination)
  await assertMayWrite(ctx, tx, destination, input.filename)
  // Reports a name conflict of a large file before its bytes are sent.
  if (destination.onConflict === 'fail') await assertNameFree(ctx, tx, destination, input.filename)
  if (destination.onConflict !== 'replace') await letNextAssertSpaceForItem(tx, ctx)
  const reserved = input.totalSize ?? arrived?.size ?? 0
  await assertFewOpen(tx, ctx.user)
  const isOpened = await insertUpload(tx, {
    id: input.uploadId,
    ownerId: ctx.user.id,
    filename: input.filename,
    totalChunks: input.totalChunks,
    totalSize: input.totalSize ?? null,
    chunkSize: input.chunkSize ?? null,
    received: arrived?.size ?? 0,
    thinnedBytes: arrived?.thinnedBytes ?? 0,
    reserved,
    area: place.area,
    folderId: destination.folderId ?? ctx.user.appPassword?.folderId ?? null,
    folders: JSON.stringify(destination.folders),
    onConflict: destination.onConflict,
    blobKey: arrived?.blobKey ?? createBlobKey(),
    vaultCheck: destination.vaultCheck ?? null,
    modifiedAt: destination.lastModified ?? null,
    expiresAt: ctx.clock.now() + UPLOAD_TTL,
    submissionId: submission?.id ?? null,
    linkId: submission?.linkId ?? null,
    memberId: member?.id ?? null,
  })
  // If another chunk of the same upload was faster, it has reserved the space.
  if (!isOpened) return false
  if (arrived) await insertChunk(tx, { uploadId: input.uploadId, index: 0, size: arrived.size, isParked: 0 })
  if (reserved > 0) await changeQuota(tx, ctx.user.id, { reserved })
  const file = { filename: input.filename, size: reserved, uploadId: input.uploadId }
  await takeLinkSpace(ctx, tx, file, { isComplete: false })
  return true
}

interface OpenedUpload {
  id: string
  ownerId: string
  filename: string
  totalChunks: number
  totalSize: number | null
  chunkSize: number | null
  received: number
  thinnedBytes: number
  reserved: number
  area: Area
  folderId: string | null
  folders: string
  onConflict: OnConflict
  blobKey: string
  vaultCheck: string | null
  modifiedAt: number | null
  expiresAt: number
  submissionId: string | null
  linkId: string | null
  memberId: string | null
}

const insertUpload = prepareExpected((db, value: Value<OpenedUpload>) =>
  db
    .insertInto('uploads')
    .values({
      id: value('id'),
      owner_id: value('ownerId'),
      filename: value('filename'),
      total_chunks: value('totalChunks'),
      total_size: value('totalSize'),
      chunk_size: value('chunkSize'),
      received_bytes: value('received'),
      thinned_bytes: value('thinnedBytes'),
      reserved_bytes: value('reserved'),
      area: value('area'),
      folder_id: value('folderId'),
      folders: value('folders'),
      on_conflict: value('onConflict'),
      blob_key: value('blobKey'),
      vault_check: value('vaultCheck'),
      modified_at: value('modifiedAt'),
      item_id: null,
      completed_at: null,
      expires_at: value('expiresAt'),
      submission_id: value('submissionId'),
      link_id: value('linkId'),
      member_id: value('memberId'),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
)

/**
 * Throws if a user has reached the limit of open uploads, or lets the next statement throw. It keeps abandoned uploads from filling the tables. Those of visitors are
 * counted for each link, and those of members of shared folders for each of them, so that they keep nobody else from uploading.
 */
export async function assertFewOpen(tx: Tx, { id, submission, member }: SessionUser): Promise<void> {
  if (!submission && !member) return countOwnOpen(tx, { ownerId: id }, assertFew)
  assertFew(
    await countOpen(tx, () => id)
      .where('link_id', submission ? '=' : 'is', submission?.linkId ?? null)
      .where('member_id', member ? '=' : 'is', member?.id ?? null)
      .execute(),
  )
}

function assertFew([counted]: { open: number }[]): void {
  if (Number(counted?.open) < MAX_OPEN_UPLOADS) return
  throw new AppError(
    'too_many_requests',
    `You have ${MAX_OPEN_UPLOADS} unfinished uploads. Finish or cancel some of them, then try again.`,
    { retryAfterSeconds: 60 },
  )
}

const countOpen = (db: Database, value: Value<{ ownerId: string }>) =>
  db
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('owner_id', '=', value('ownerId'))
    .where('completed_at', 'is', null)

const countOwnOpen = prepareAhead((db, value: Value<{ ownerId: string }>) =>
  countOpen(db, value).where('link_id', 'is', null).where('member_id', 'is', null),
)

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

/** Marks a chunk as missing. Returns how many bytes of it had arrived, or undefined if it had not. */
async function forgetChunk(tx: Tx, upload: UploadRow, index: number): Promise<number | undefined> {
  const forgotten = await removeChunk(tx, upload.id, index)
  if (!forgotten) return undefined
  await tx
    .updateTable('uploads')
    .set((eb) => ({ received_bytes: eb('received_bytes', '-', forgotten.size) }))
    .where('id', '=', upload.id)
    .execute()
  return forgotten.size
}
