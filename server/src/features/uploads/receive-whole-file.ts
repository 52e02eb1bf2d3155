import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ParsedInputOf } from '@alcove/contract/call'
import type { File } from '@alcove/contract/items'
import { MAX_CHUNK_SIZE, UPLOAD_TTL } from '@alcove/contract/limits'
import { type OnConflict, uploadChunk } from '@alcove/contract/uploads'
import type { UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { createBlobKey } from '../../platform/blobs/blob-key.ts'
import { prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import type { Area } from '../../platform/db/tables.ts'
import type { IncomingForm } from '../../platform/http/incoming-form.ts'
import { changeTree } from '../../tree/change-tree.ts'
import { presentFile } from '../../tree/present-item.ts'
import { assertRoomFor } from '../../tree/quota.ts'
import { assertNameFree, describeConflict } from './describe-conflict.ts'
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
    const destination = readDestination(early)
    await openDestination(ctx.db, ctx.user, destination)
    if (destination.onConflict === 'fail') await assertNameFree(ctx, ctx.db, destination, early.filename)
    await assertRoomFor(ctx.db, ctx.user, early.totalSize ?? 0)
  }
  const blobKey = createBlobKey()
  let isLanding = false
  try {
    const received = await receiveBytes(ctx, early, blobKey, form.file)
    const fields = await form.readRest()
    // Where nothing came after the bytes, all has been read already.
    const input = fields === form.fields ? early : uploadChunk.input.parse(fields)
    if (input.totalSize !== undefined && input.totalSize !== received.size) {
      throw new AppError('size_mismatch', `${received.size} bytes have arrived, but ${input.totalSize} were announced.`)
    }
    isLanding = true
    return { status: 201, body: await land(ctx, input, { blobKey, ...received }) }
  } catch (error) {
    // Before it lands, and after a refusal, there is no row. After a fault there may be one: then the bytes are left to the
    // sweep, as they are while the store is away. On a full disk they would keep the room that is missing.
    const hasNoRow = !isLanding || error instanceof AppError
    const isAway = error instanceof AppError && error.code === 'unavailable'
    if (hasNoRow && !isAway) await ctx.blobs.remove(blobKey).catch(() => {})
    throw await describeConflict(ctx, error, readDestination(early), early.filename)
  }
}

/** What has been written: of a large file the digest is computed later, since that would hold it up. */
interface Received {
  size: number
  sha256: string | null
}

/** Small files are written in one go, all others as they come. */
async function receiveBytes(ctx: UserContext, early: ChunkInput, blobKey: string, bytes: Readable): Promise<Received> {
  if (early.totalSize === undefined || early.totalSize > SMALL) {
    const size = await reading(ctx.blobs.streamWhole(blobKey, bytes, MAX_CHUNK_SIZE))
    return { size, sha256: null }
  }
  const content = await reading(collectBytes(bytes, SMALL))
  // While the disk is written to.
  const written = ctx.blobs.writeWhole(blobKey, content)
  const sha256 = hash('sha256', content)
  await written
  return { size: content.length, sha256 }
}

async function land(ctx: UserContext, input: ChunkInput, { blobKey, size, sha256 }: Received & { blobKey: string }) {
  const destination = readDestination(input)
  const item = await changeTree(ctx, async (tx) => {
    const landed = await landFile(ctx, tx, {
      filename: input.filename,
      size,
      blobKey,
      sha256,
      destination,
      reserved: 0,
    })
    const now = ctx.clock.now()
    const noted = await noteUpload(tx, {
      id: input.uploadId,
      ownerId: ctx.user.id,
      filename: input.filename,
      size,
      area: landed.area,
      folderId: destination.folderId ?? null,
      folders: JSON.stringify(destination.folders),
      onConflict: destination.onConflict,
      blobKey,
      itemId: landed.id,
      now,
      expiresAt: now + UPLOAD_TTL,
    })
    // The same upload came in twice at once: the other one stands.
    if (noted.numAffectedRows === 0n) {
      throw new AppError('state_conflict', 'This upload is just being received. Please ask for it again.')
    }
    return landed
  })
  return presentFile(item, ctx.user)
}

interface CompletedUpload {
  id: string
  ownerId: string
  filename: string
  size: number
  area: Area
  folderId: string | null
  folders: string
  onConflict: OnConflict
  blobKey: string
  itemId: string
  now: number
  expiresAt: number
}

/** Remembers the upload, so that who asks for it again gets the same answer. */
const noteUpload = prepareQuery((db, value: Value<CompletedUpload>) =>
  db
    .insertInto('uploads')
    .values({
      id: value('id'),
      owner_id: value('ownerId'),
      filename: value('filename'),
      total_chunks: 1,
      total_size: value('size'),
      chunk_size: null,
      received_bytes: value('size'),
      reserved_bytes: 0,
      area: value('area'),
      folder_id: value('folderId'),
      folders: value('folders'),
      on_conflict: value('onConflict'),
      blob_key: value('blobKey'),
      item_id: value('itemId'),
      completed_at: value('now'),
      expires_at: value('expiresAt'),
    })
    .onConflict((conflict) => conflict.doNothing()),
)
