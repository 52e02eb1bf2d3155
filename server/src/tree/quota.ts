import type { SessionUser } from '../context.ts'
import { AppError } from '../errors.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import { prepareQuery, type Value } from '../platform/db/prepared-query.ts'

/** How an account's figures change: `used` by files, `reserved` by unfinished uploads. Bytes, may be negative. */
export interface QuotaChange {
  used?: number
  reserved?: number
}

/**
 * Changes the figures if the account then still is within its quota, in one conditional statement; throws 'over quota'
 * otherwise. A change that takes nothing more is always possible, also for an account that is over already. Like every
 * change of the user's row it takes the lock on the user's trees (see `lockTree`).
 */
export async function changeQuota(tx: Tx, userId: string, { used = 0, reserved = 0 }: QuotaChange): Promise<void> {
  const more = used + reserved
  const change = more > 0 ? takeRoom : used > 0 ? exchangeRoom : giveRoomBack
  const { numAffectedRows } = await change(tx, { userId, used, reserved, more })
  if (numAffectedRows === 0n) throw await describeLack(tx, userId, more)
}

interface RoomChange {
  userId: string
  used: number
  reserved: number
  more: number
}

const changeFigures = (db: Database, value: Value<RoomChange>) =>
  db
    .updateTable('users')
    .set((eb) => ({
      used_bytes: eb('used_bytes', '+', value('used')),
      reserved_bytes: eb('reserved_bytes', '+', value('reserved')),
      tree_version: eb('tree_version', '+', 1),
    }))
    .where('id', '=', value('userId'))

/** Also of what remains of an account. */
const giveRoomBack = prepareQuery(changeFigures)

const changeStanding = (db: Database, value: Value<RoomChange>) =>
  changeFigures(db, value).where('deleted_at', 'is', null)

/** For a file what was reserved for it. */
const exchangeRoom = prepareQuery(changeStanding)

const takeRoom = prepareQuery((db, value: Value<RoomChange>) =>
  changeStanding(db, value).where((eb) =>
    eb(eb('used_bytes', '+', eb('reserved_bytes', '+', eb.val(value('more')))), '<=', eb.ref('allocated_bytes')),
  ),
)

/** Refuses early what could not be stored anyway. The decision itself is `changeQuota`'s. */
export async function assertRoomFor(db: Database, user: SessionUser, bytes: number): Promise<void> {
  if (bytes === 0) return
  const room = await readFreeBytes(db, user.id)
  if (bytes > room) throw lackOf(bytes, room)
}

async function describeLack(db: Database, userId: string, bytes: number): Promise<AppError> {
  return lackOf(bytes, await readFreeBytes(db, userId))
}

async function readFreeBytes(db: Database, userId: string): Promise<number> {
  const { allocated_bytes, used_bytes, reserved_bytes } = await db
    .selectFrom('users')
    .select(['allocated_bytes', 'used_bytes', 'reserved_bytes'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return allocated_bytes - used_bytes - reserved_bytes
}

function lackOf(bytes: number, room: number): AppError {
  const missingBytes = bytes - room
  const free = room > 0 ? `${describeSize(room)} are free` : 'no room is left'
  return new AppError(
    'quota_exceeded',
    `Not enough room: ${describeSize(missingBytes)} more are needed, since ${free}. Delete something for good or choose a larger plan.`,
    { missingBytes },
  )
}

export function describeSize(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  const value = bytes / 1024 ** power
  return `${power === 0 ? value : value.toFixed(2)} ${units[power]}`
}
