import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { SessionUser, UserContext } from '../../../context.ts'
import { AppError, notFound } from '../../../errors.ts'
import { createBlobKey } from '../../../platform/blobs/blob-store.ts'
import { KeyedLock } from '../../../platform/concurrency.ts'
import { assertIntact, type Checksums } from '../../../platform/crypto/checksums.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { ItemRow, UploadRow } from '../../../platform/db/tables.ts'
import { changeQuota, lockTree } from '../../items/index.ts'
import { type BlobDigests, onlySha256 } from '../../storage/index.ts'
import { prepareComparison, reclaimingSpace } from '../../versions/index.ts'
import { commitFile, digestArrival } from '../commit-file.ts'
import { findExisting } from '../describe-conflict.ts'
import { lockOpenUpload } from '../own-upload.ts'
import { discardUpload } from '../unfinished-uploads.ts'
import { assertSize, readName, readTarget, type StreamTarget } from '../whole-files/assert-may-store.ts'
import { assertFewOpen } from './claim-chunk.ts'
import { reading } from './read-stream.ts'

/**
 * Uploads in the protocol of Nextcloud: chunks of any sizes, which arrive one after the other and are numbered upwards, maybe with
 * gaps. Each is written at its place in the blob, behind those that have arrived. So nothing has to be assembled.
 */

/** An upload that nobody continues for so long is discarded. */
const TTL = 24 * 3_600_000
export const MAX_SEQUENCE_CHUNK = 5 * 1024 ** 3
/** The number of parts that an object store allows. */
const MAX_CHUNKS = 10_000
/** Takes the chunks of an upload one at a time. A client that begins the next one early waits. */
const arriving = new KeyedLock()

/** A chunk that has arrived. */
export interface SequenceChunk {
  readonly number: number
  readonly size: number
}

/** A chunk that a client sends. */
interface ComingChunk extends SequenceChunk {
  /** Where it begins in the file, if the client says so. */
  readonly offset: number | undefined
}

/** Returns the id of the upload that a client calls `name`. Users, and app passwords of one folder, have names of their own. */
function idOf({ id, appPassword }: SessionUser, name: string): string {
  const hash = createHash('sha256').update(JSON.stringify([id, appPassword?.folderId ?? null, name]))
  return hash.digest('hex').replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}

/** Begins an upload, and reserves its size if that is announced. Throws 'state conflict' if it has begun before. */
export function openSequence(ctx: UserContext, name: string, size: number | undefined): Promise<void> {
  const { user, clock } = ctx
  if (size !== undefined) assertSize(size)
  return reclaimingSpace(ctx, () =>
    ctx.db.transaction().execute(async (tx) => {
      await assertFewOpen(tx, user.id)
      const opened = await tx
        .insertInto('uploads')
        .values({
          ...{ id: idOf(user, name), owner_id: user.id, filename: name.slice(0, 255), total_chunks: MAX_CHUNKS },
          ...{ total_size: size ?? null, chunk_size: null, received_bytes: 0, reserved_bytes: size ?? 0 },
          ...{ area: 'drive', folder_id: user.driveRootId, folders: '[]', on_conflict: 'replace' },
          ...{ blob_key: createBlobKey(), vault_check: null, item_id: null, completed_at: null },
          expires_at: clock.now() + TTL,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (opened.numInsertedOrUpdatedRows === 0n) throw new AppError('state_conflict', 'This upload has begun already.')
      if (size !== undefined) await changeQuota(tx, user.id, { reserved: size })
    }),
  )
}

/** Returns the chunks that have arrived, in their order. Throws 'not found'. */
export async function listSequence({ db, user }: UserContext, name: string): Promise<SequenceChunk[]> {
  const id = idOf(user, name)
  const upload = await db.selectFrom('uploads').select('id').where('id', '=', id).executeTakeFirst()
  if (!upload) throw notFound('upload')
  return (await readChunks(db, id)).map(({ number, size }) => ({ number: Number(number), size }))
}

/** Stores a chunk at its place. A chunk that arrived before can be sent again. */
export function receiveSequenceChunk(
  ctx: UserContext,
  name: string,
  chunk: ComingChunk,
  body: () => Readable,
): Promise<void> {
  const id = idOf(ctx.user, name)
  return arriving.take(id, async () => {
    const claim = await reclaimingSpace(ctx, () => ctx.db.transaction().execute((tx) => claimPlace(ctx, tx, id, chunk)))
    const { blobKey, index, offset, mayBePart } = claim
    await ctx.blobs.assertFits(chunk.size)
    const place = { index, offset, mayBePart }
    const size = await reading(ctx.blobs.writeChunk(blobKey, place, body(), chunk.size))
    if (size !== chunk.size) throw new AppError('malformed', 'The chunk did not arrive completely. Send it again.')
    await ctx.db.transaction().execute(async (tx) => {
      await lockOpenUpload(tx, ctx.user, id)
      const recorded = await tx
        .insertInto('upload_chunks')
        .values({ upload_id: id, chunk_index: index, size, is_parked: 0, number: chunk.number })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      // Another server has received one at this place.
      if (recorded.numInsertedOrUpdatedRows === 0n) throw outOfOrder()
      await tx
        .updateTable('uploads')
        .set((eb) => ({ received_bytes: eb('received_bytes', '+', size), expires_at: ctx.clock.now() + TTL }))
        .where('id', '=', id)
        .execute()
    })
  })
}

interface Claim {
  blobKey: string
  index: number
  offset: number
  /** Whether an object store can take it as a part: the bytes before it that are in none suffice for one of their own. */
  mayBePart: boolean
}

async function claimPlace(ctx: UserContext, tx: Tx, id: string, chunk: ComingChunk): Promise<Claim> {
  const upload = await lockOpenUpload(tx, ctx.user, id)
  const chunks = await readChunks(tx, id)
  const before = chunks.filter(({ number }) => Number(number) < chunk.number)
  const index = before.length
  const again = chunks[index]
  const isLast = index >= chunks.length - 1
  const offset = before.reduce((sum, { size }) => sum + size, 0)
  if (again && Number(again.number) !== chunk.number) throw outOfOrder()
  if (!isLast && again?.size !== chunk.size) throw outOfOrder()
  if (chunk.offset !== undefined && chunk.offset !== offset) throw outOfOrder()
  if (index >= MAX_CHUNKS) throw new AppError('too_large', `An upload can have at most ${MAX_CHUNKS} chunks.`)
  const received = upload.received_bytes - (again?.size ?? 0)
  assertSize(received + chunk.size)
  if (upload.total_size !== null && offset + chunk.size > upload.total_size) {
    throw new AppError('too_large', `More bytes arrived than the ${upload.total_size} that were announced.`)
  }
  // Until it has arrived again, it counts as missing.
  if (again) await forgetChunk(tx, id, index)
  const reserved = Math.max(upload.total_size ?? 0, received + chunk.size)
  await tx
    .updateTable('uploads')
    .set({ received_bytes: received, reserved_bytes: reserved, expires_at: ctx.clock.now() + TTL })
    .where('id', '=', id)
    .execute()
  if (reserved !== upload.reserved_bytes) {
    await changeQuota(tx, upload.owner_id, { reserved: reserved - upload.reserved_bytes })
  }
  return { blobKey: upload.blob_key, index, offset, mayBePart: mayFollow(before.map(({ size }) => size)) }
}

/** The minimum size of a part in an object store, except the last. */
const MIN_PART = 5 * 1024 * 1024

/** Returns whether the bytes before a chunk that are in no part are none, or enough for a part. */
function mayFollow(sizes: readonly number[]): boolean {
  let loose = 0
  for (const size of sizes) {
    const isPart = size >= MIN_PART && (loose === 0 || loose >= MIN_PART)
    loose = isPart ? 0 : loose + size
  }
  return loose === 0 || loose >= MIN_PART
}

function outOfOrder(): AppError {
  return new AppError('state_conflict', 'The chunks of an upload must be sent one after the other, in their order.')
}

/** Removes the last chunk. */
export async function dropSequenceChunk(ctx: UserContext, name: string, number: number): Promise<void> {
  const id = idOf(ctx.user, name)
  await ctx.db.transaction().execute(async (tx) => {
    await lockOpenUpload(tx, ctx.user, id)
    const chunks = await readChunks(tx, id)
    const last = chunks.at(-1)
    if (!chunks.some((chunk) => Number(chunk.number) === number)) throw notFound('upload')
    if (!last || Number(last.number) !== number) throw outOfOrder()
    await forgetChunk(tx, id, last.chunk_index)
    await tx
      .updateTable('uploads')
      .set((eb) => ({ received_bytes: eb('received_bytes', '-', last.size) }))
      .where('id', '=', id)
      .execute()
  })
}

/** Gives up an upload. */
export async function discardSequence(ctx: UserContext, name: string): Promise<void> {
  const id = idOf(ctx.user, name)
  await ctx.db.transaction().execute(async (tx) => discardUpload(ctx, tx, await lockOpenUpload(tx, ctx.user, id)))
}

interface Finish {
  size: number | undefined
  modifiedAt: number | undefined
  checksums: Checksums
  /** Checks the file that is about to be replaced, in the transaction that commits and with the tree locked. */
  assertMayReplace: (existing: ItemRow | undefined) => void
}

/** Makes a file of the chunks. Its bytes are read once more only if the client wants them compared with a checksum. */
export function finishSequence(
  ctx: UserContext,
  name: string,
  target: StreamTarget,
  { size: announced, modifiedAt, checksums, assertMayReplace }: Finish,
): Promise<{ item: ItemRow; isNew: boolean }> {
  const id = idOf(ctx.user, name)
  const filename = readName(target)
  const destination = { ...readTarget(ctx.user, target), lastModified: modifiedAt }
  return arriving.take(id, async () => {
    const upload = await ctx.db.transaction().execute((tx) => lockOpenUpload(tx, ctx.user, id))
    const size = assertComplete(upload, announced)
    const sizes = (await readChunks(ctx.db, id)).map((chunk) => chunk.size)
    if (sizes.length > 0) await ctx.blobs.seal(upload.blob_key, sizes)
    else await ctx.blobs.writeWhole(upload.blob_key, new Uint8Array())
    const arrived = { destination, filename, size, blobKey: upload.blob_key }
    const digests = await digest(ctx, arrived, checksums)
    const existing = await findExisting(ctx, ctx.db, destination, filename)
    if (existing?.kind === 'file') await prepareComparison(ctx, existing, size)
    let isNew = false
    const item = await ctx.db.transaction().execute(async (tx) => {
      const open = await lockOpenUpload(tx, ctx.user, id)
      // Another server may have received a chunk again.
      assertComplete(open, size)
      await lockTree(tx, ctx.user.id)
      const committed = await commitFile(ctx, tx, {
        ...{ ...arrived, digests, reserved: open.reserved_bytes },
        assertMayReplace: (before) => {
          assertMayReplace(before)
          isNew = before === undefined
        },
      })
      await tx.deleteFrom('uploads').where('id', '=', id).execute()
      return committed
    })
    return { item, isNew }
  })
}

function assertComplete({ total_size, received_bytes }: UploadRow, announced: number | undefined): number {
  const expected = announced ?? total_size ?? received_bytes
  if (received_bytes === expected) return received_bytes
  throw new AppError('size_mismatch', `${received_bytes} bytes have arrived, but ${expected} were announced.`)
}

/** Returns the digests of stored bytes. All of them are computed if one must be compared. Throws if it differs. */
async function digest(
  ctx: UserContext,
  arrived: Parameters<typeof digestArrival>[1],
  checksums: Checksums,
): Promise<BlobDigests> {
  if (Object.keys(checksums).length === 0) return onlySha256(await digestArrival(ctx, arrived))
  const hash = ctx.streamHasher.open()
  try {
    for await (const buffer of ctx.blobs.openStream(arrived.blobKey) as AsyncIterable<Buffer>) await hash.update(buffer)
    const digests = await hash.digest()
    assertIntact(checksums, digests)
    return digests
  } finally {
    hash.drop()
  }
}

function readChunks(db: Database, id: string) {
  return db
    .selectFrom('upload_chunks')
    .select(['chunk_index', 'number', 'size'])
    .where('upload_id', '=', id)
    .orderBy('chunk_index')
    .execute()
}

async function forgetChunk(tx: Tx, id: string, index: number): Promise<void> {
  await tx.deleteFrom('upload_chunks').where('upload_id', '=', id).where('chunk_index', '=', index).execute()
}
