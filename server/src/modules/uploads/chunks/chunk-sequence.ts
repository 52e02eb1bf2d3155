import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { UserContext } from '../../../context.ts'
import { AppError, notFound } from '../../../errors.ts'
import { createBlobKey } from '../../../platform/blobs/blob-store.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { changeQuota } from '../../items/index.ts'
import { reclaimingSpace } from '../../versions/index.ts'
import { discardUpload } from '../unfinished-uploads.ts'
import { assertSize } from '../whole-files/assert-may-store.ts'
import { assertFewOpen } from './claim-chunk.ts'
import { reading } from './read-stream.ts'
import { arriving, forgetChunk, idOf, lockSequence, readChunks, SEQUENCE_TTL } from './sequence-rows.ts'

/**
 * Uploads in the protocol of Nextcloud: chunks of any sizes, which are numbered upwards. Each is written at its place in the blob,
 * behind those that have arrived, so nothing has to be assembled. A chunk that comes early waits for those before it.
 */

export const MAX_SEQUENCE_CHUNK = 5 * 1024 ** 3
/** The number of parts that an object store allows. */
const MAX_CHUNKS = 10_000
/** How long a chunk waits for the one before it, if nothing else of the upload arrives meanwhile. */
const WAIT = 2000
/** How often a waiting chunk looks for those that other servers have received. */
const LOOK_EVERY = 250
/** Chunks of one upload that wait at the same time. Clients send a few in parallel. */
const MAX_WAITING = 16

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

/**
 * Begins an upload, and reserves its size if that is announced. Throws 'state conflict' if it has begun before and isn't finished:
 * some clients derive the name from the content, so they use it again.
 */
export function openSequence(ctx: UserContext, name: string, size: number | undefined): Promise<void> {
  const { user, clock } = ctx
  if (size !== undefined) assertSize(size)
  return reclaimingSpace(ctx, () =>
    ctx.db.transaction().execute(async (tx) => {
      await assertFewOpen(tx, user.id)
      const begun = {
        ...{ owner_id: user.id, filename: name.slice(0, 255), total_chunks: MAX_CHUNKS },
        ...{ total_size: size ?? null, chunk_size: null, received_bytes: 0, reserved_bytes: size ?? 0 },
        ...({ area: 'drive', folder_id: user.driveRootId, folders: '[]', on_conflict: 'replace' } as const),
        ...{ blob_key: createBlobKey(), vault_check: null, item_id: null, completed_at: null },
        expires_at: clock.now() + SEQUENCE_TTL,
      }
      const opened = await tx
        .insertInto('uploads')
        .values({ id: idOf(user, name), ...begun })
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet(begun).where('uploads.completed_at', 'is not', null),
        )
        .executeTakeFirst()
      if (opened.numInsertedOrUpdatedRows === 0n) throw new AppError('state_conflict', 'This upload has begun already.')
      if (size !== undefined) await changeQuota(tx, user.id, { reserved: size })
    }),
  )
}

/** Returns the chunks that have arrived, in their order. Throws 'not found'. */
export async function listSequence({ db, user }: UserContext, name: string): Promise<SequenceChunk[]> {
  const id = idOf(user, name)
  const upload = await db
    .selectFrom('uploads')
    .select('id')
    .where('id', '=', id)
    .where('completed_at', 'is', null)
    .executeTakeFirst()
  if (!upload) throw notFound('upload')
  return (await readChunks(db, id)).map(({ number, size }) => ({ number: Number(number), size }))
}

/**
 * Stores a chunk at its place. A chunk that arrived before can be sent again. One that is early waits, while its bytes stay with the
 * client. Throws 'state conflict' if it can't be put in its place.
 */
export async function receiveSequenceChunk(
  ctx: UserContext,
  name: string,
  chunk: ComingChunk,
  body: () => Readable,
): Promise<void> {
  const id = idOf(ctx.user, name)
  const store = () => arriving.take(id, () => receiveNext(ctx, id, chunk, body))
  const arrived = await store()
  if (arrived !== undefined) await whileCounted(id, () => waitForTurn(store, arrived))
}

/** Tries to store a chunk until it is its turn. Gives up when no other chunk has arrived for a while. */
async function waitForTurn(store: () => Promise<number | undefined>, arrived: number): Promise<void> {
  let before = arrived
  for (let waited = 0; waited < WAIT; waited += LOOK_EVERY) {
    await wait(LOOK_EVERY)
    const now = await store()
    if (now === undefined) return
    if (now !== before) waited = 0
    before = now
  }
  throw outOfOrder()
}

/** How many chunks of an upload wait, by the id of the upload. */
const waiting = new Map<string, number>()

async function whileCounted(id: string, work: () => Promise<void>): Promise<void> {
  const others = waiting.get(id) ?? 0
  if (others >= MAX_WAITING) throw outOfOrder()
  waiting.set(id, others + 1)
  try {
    await work()
  } finally {
    const left = (waiting.get(id) ?? 1) - 1
    if (left > 0) waiting.set(id, left)
    else waiting.delete(id)
  }
}

/** Stores a chunk if those before it have arrived. Otherwise returns how many have. */
async function receiveNext(
  ctx: UserContext,
  id: string,
  chunk: ComingChunk,
  body: () => Readable,
): Promise<number | undefined> {
  const claim = await reclaimingSpace(ctx, () => ctx.db.transaction().execute((tx) => claimPlace(ctx, tx, id, chunk)))
  if (typeof claim === 'number') return claim
  const { blobKey, index, offset, mayBePart } = claim
  await ctx.blobs.assertFits(chunk.size)
  const place = { index, offset, mayBePart }
  const size = await reading(ctx.blobs.writeChunk(blobKey, place, body(), chunk.size))
  if (size !== chunk.size) throw new AppError('malformed', 'The chunk did not arrive completely. Send it again.')
  await ctx.db.transaction().execute(async (tx) => {
    await lockSequence(tx, ctx.user, id)
    const recorded = await tx
      .insertInto('upload_chunks')
      .values({ upload_id: id, chunk_index: index, size, is_parked: 0, number: chunk.number })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    // Another server has received one at this place.
    if (recorded.numInsertedOrUpdatedRows === 0n) throw outOfOrder()
    await tx
      .updateTable('uploads')
      .set((eb) => ({ received_bytes: eb('received_bytes', '+', size), expires_at: ctx.clock.now() + SEQUENCE_TTL }))
      .where('id', '=', id)
      .execute()
  })
  return undefined
}

interface Claim {
  blobKey: string
  index: number
  offset: number
  /** Whether an object store can take it as a part: the bytes before it that are in none suffice for one of their own. */
  mayBePart: boolean
}

/** Finds the place of a chunk and reserves its space. If the chunk is early, returns how many chunks have arrived. */
async function claimPlace(ctx: UserContext, tx: Tx, id: string, chunk: ComingChunk): Promise<Claim | number> {
  const upload = await lockSequence(tx, ctx.user, id)
  const chunks = await readChunks(tx, id)
  const before = chunks.filter(({ number }) => Number(number) < chunk.number)
  const index = before.length
  const again = chunks[index]
  const isLast = index >= chunks.length - 1
  const offset = before.reduce((sum, { size }) => sum + size, 0)
  if (again && Number(again.number) !== chunk.number) throw outOfOrder()
  if (!isLast && again?.size !== chunk.size) throw outOfOrder()
  if (!again && isEarly(chunk, before.at(-1)?.number ?? null, offset)) return chunks.length
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
    .set({ received_bytes: received, reserved_bytes: reserved, expires_at: ctx.clock.now() + SEQUENCE_TTL })
    .where('id', '=', id)
    .execute()
  if (reserved !== upload.reserved_bytes) {
    await changeQuota(tx, upload.owner_id, { reserved: reserved - upload.reserved_bytes })
  }
  return { blobKey: upload.blob_key, index, offset, mayBePart: mayFollow(before.map(({ size }) => size)) }
}

/** Returns whether chunks are missing between the last one and this one: by its offset, or else by its number, counted from 1 (old clients: 0). */
function isEarly({ number, offset }: ComingChunk, last: number | null, end: number): boolean {
  if (offset !== undefined) return offset > end
  return number > (last === null ? 1 : Number(last) + 1)
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
    await lockSequence(tx, ctx.user, id)
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
  await ctx.db.transaction().execute(async (tx) => discardUpload(ctx, tx, await lockSequence(tx, ctx.user, id)))
}
