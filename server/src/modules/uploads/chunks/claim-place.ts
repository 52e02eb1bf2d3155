import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { changeQuota } from '../../items/index.ts'
import { assertSize } from '../whole-files/assert-may-store.ts'
import { arrivedSize, lockSequence, markMissing, readChunks, SEQUENCE_TTL } from './sequence-rows.ts'

/** The number of parts that an object store allows. */
export const MAX_CHUNKS = 10_000

/** A chunk that has arrived. */
export interface SequenceChunk {
  readonly number: number
  readonly size: number
}

/** A chunk that a client sends. */
export interface ComingChunk extends SequenceChunk {
  /** Where it begins in the file, if the client says so. */
  readonly offset: number | undefined
}

interface Claim {
  blobKey: string
  index: number
  offset: number
  /** How many chunks there are, with this one if it arrives again. */
  count: number
  /** Whether an object store can take it as a part: the bytes before it that are in none suffice for one of their own. */
  mayBePart: boolean
}

/** Finds the place of a chunk and reserves its space. If the chunk is early, returns how many chunks have arrived. */
export async function claimPlace(ctx: UserContext, tx: Tx, id: string, chunk: ComingChunk): Promise<Claim | number> {
  const upload = await lockSequence(tx, ctx.user, id)
  const chunks = await readChunks(tx, id)
  const before = chunks.filter(({ number }) => number < chunk.number)
  const again = chunks.find(({ number }) => number === chunk.number)
  const index = before.length
  const isLast = index >= chunks.length - 1
  const offset = endOf(before)
  if (!again && index < chunks.length) throw outOfOrder()
  if (again && !isLast && again.size !== chunk.size) throw outOfOrder()
  if (!again && isEarly(chunk, before.at(-1)?.number, offset)) return chunks.length
  if (chunk.offset !== undefined && chunk.offset !== offset) throw outOfOrder()
  if (index >= MAX_CHUNKS) throw new AppError('too_large', `An upload can have at most ${MAX_CHUNKS} chunks.`)
  const received = upload.received_bytes - (again ? arrivedSize(again) : 0)
  assertSize(received + chunk.size)
  if (upload.total_size !== null && offset + chunk.size > upload.total_size) {
    throw new AppError('too_large', `More bytes arrived than the ${upload.total_size} that were announced.`)
  }
  if (again) await markMissing(tx, id, index)
  const reserved = Math.max(upload.total_size ?? 0, received + chunk.size)
  await tx
    .updateTable('uploads')
    .set({ received_bytes: received, reserved_bytes: reserved, expires_at: ctx.clock.now() + SEQUENCE_TTL })
    .where('id', '=', id)
    .execute()
  if (reserved !== upload.reserved_bytes) {
    await changeQuota(tx, upload.owner_id, { reserved: reserved - upload.reserved_bytes })
  }
  return {
    blobKey: upload.blob_key,
    index,
    offset,
    count: chunks.length,
    mayBePart: mayFollow(before.map(({ size }) => size)),
  }
}

/** Returns where chunks end in the file. */
export function endOf(chunks: readonly { size: number }[]): number {
  return chunks.reduce((sum, { size }) => sum + size, 0)
}

/**
 * Returns whether chunks are missing between the last one and this one: by its offset, or else by its number, which clients count
 * from 1 (old ones from 0).
 */
function isEarly({ number, offset }: ComingChunk, last: number | undefined, end: number): boolean {
  if (offset !== undefined) return offset > end
  return number > (last === undefined ? 1 : last + 1)
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

export function outOfOrder(): AppError {
  return new AppError('state_conflict', 'The chunks of an upload must be sent one after the other, in their order.')
}
