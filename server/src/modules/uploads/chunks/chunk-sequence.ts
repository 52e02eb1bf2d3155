import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { UserContext } from '../../../context.ts'
import { AppError, notFound } from '../../../errors.ts'
import { createBlobKey } from '../../../platform/blobs/blob-store.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { UploadRow } from '../../../platform/db/tables.ts'
import { lockMembership } from '../../../platform/http/members.ts'
import { changeQuota } from '../../items/index.ts'
import { reclaimingSpace } from '../../versions/index.ts'
import { discardUpload } from '../unfinished-uploads.ts'
import { assertSize } from '../whole-files/assert-may-store.ts'
import { assertFewOpen } from './claim-chunk.ts'
import { type ComingChunk, claimPlace, endOf, MAX_CHUNKS, outOfOrder, type SequenceChunk } from './claim-place.ts'
import { reading } from './read-stream.ts'
import { arrivedSize, arriving, forgetChunk, idOf, lockSequence, readChunks, SEQUENCE_TTL } from './sequence-rows.ts'

/**
 * Uploads in the protocol of Nextcloud: chunks of any sizes, which are numbered upwards. Each is written at its place in the blob,
 * behind those that have arrived, so nothing has to be assembled. A chunk that comes early waits for those before it.
 */

export const MAX_SEQUENCE_CHUNK = 5 * 1024 ** 3
/** How long a chunk waits for the one before it, if nothing else of the upload arrives meanwhile. */
const WAIT = 2000
/** How often a waiting chunk looks for those that other servers have received. */
const LOOK_EVERY = 250
/** Chunks of one upload that wait at the same time. Clients send a few in parallel. */
const MAX_WAITING = 16

/**
 * Begins an upload, and reserves its size if that is announced. Throws 'state conflict' if it has begun before and isn't finished:
 * some clients derive the name from the content, so they use it again.
 */
export function openSequence(ctx: UserContext, name: string, size: number | undefined): Promise<void> {
  const { user, clock } = ctx
  if (size !== undefined) assertSize(size)
  return reclaimingSpace(ctx, () =>
    ctx.db.transaction().execute(async (tx) => {
      if (user.member) await lockMembership(tx, user.member)
      await assertFewOpen(tx, user)
      const begun = {
        ...{ owner_id: user.id, filename: name.slice(0, 255), total_chunks: MAX_CHUNKS },
        ...{ total_size: size ?? null, chunk_size: null, received_bytes: 0, reserved_bytes: size ?? 0 },
        ...({ area: 'drive', folder_id: user.driveRootId, folders: '[]', on_conflict: 'replace' } as const),
        ...{ blob_key: createBlobKey(), vault_check: null, item_id: null, completed_at: null },
        ...{ expires_at: clock.now() + SEQUENCE_TTL, member_id: user.member?.id ?? null },
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
  const chunks = (await readChunks(db, id)).filter(({ is_parked }) => is_parked === 0)
  return chunks.map(({ number, size }) => ({ number, size }))
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
    const upload = await lockSequence(tx, ctx.user, id)
    const chunks = await readChunks(tx, id)
    // At another server, the upload may have begun again, or got or lost chunks.
    const isInPlace =
      upload.blob_key === blobKey &&
      chunks.length === claim.count &&
      endOf(chunks.slice(0, index)) === offset &&
      (index === chunks.length || chunks[index]?.is_parked === 1)
    if (!isInPlace) throw outOfOrder()
    await tx
      .insertInto('upload_chunks')
      .values({ upload_id: id, chunk_index: index, size, is_parked: 0, number: chunk.number })
      .onConflict((conflict) => conflict.columns(['upload_id', 'chunk_index']).doUpdateSet({ size, is_parked: 0 }))
      .execute()
    await tx
      .updateTable('uploads')
      .set((eb) => ({ received_bytes: eb('received_bytes', '+', size), expires_at: ctx.clock.now() + SEQUENCE_TTL }))
      .where('id', '=', id)
      .execute()
  })
  return undefined
}

/** Removes the last chunk. */
export async function dropSequenceChunk(ctx: UserContext, name: string, number: number): Promise<void> {
  await changeSequence(ctx, name, async (tx, upload) => {
    const chunks = await readChunks(tx, upload.id)
    const last = chunks.at(-1)
    if (!chunks.some((chunk) => chunk.number === number)) throw notFound('upload')
    if (last?.number !== number) throw outOfOrder()
    await forgetChunk(tx, upload.id, last.chunk_index)
    await tx
      .updateTable('uploads')
      .set((eb) => ({ received_bytes: eb('received_bytes', '-', arrivedSize(last)) }))
      .where('id', '=', upload.id)
      .execute()
  })
}

/** Gives up an upload. */
export async function discardSequence(ctx: UserContext, name: string): Promise<void> {
  await changeSequence(ctx, name, (tx, upload) => discardUpload(ctx, tx, upload))
}

/** Changes an upload while no chunk of it arrives here. */
function changeSequence(
  ctx: UserContext,
  name: string,
  change: (tx: Tx, upload: UploadRow) => Promise<void>,
): Promise<void> {
  const id = idOf(ctx.user, name)
  return arriving.take(id, () =>
    ctx.db.transaction().execute(async (tx) => change(tx, await lockSequence(tx, ctx.user, id))),
  )
}
