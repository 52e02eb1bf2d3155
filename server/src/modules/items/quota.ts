import { FREE_PLAN, isPaidPlan, NO_PLAN_NAME } from '@alcove/contract/plans'
import { sql } from 'kysely'
import type { MaxItems } from '../../config.ts'
import type { SessionUser, UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { prepareAhead, prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import type { Area } from '../../platform/db/tables.ts'
import { prepareExpected } from './at-once.ts'
import { noteRaise, versionColumns } from './tree-version.ts'

/**
 * Changes to an account's usage in bytes: `used` by files and their versions, `reserved` by unfinished uploads. May be negative.
 */
interface QuotaChange {
  used?: number
  /** The part of `used` that versions take. */
  versions?: number
  reserved?: number
  /** The number of removed files and folders, as a negative number. Added ones are counted by `takeSpace`. */
  items?: number
}

/** An addition to an account: the number of files and folders, and the bytes they change. */
interface Coming extends Omit<QuotaChange, 'items'> {
  items: number
}

/** The account that adds items, and the operator's limits. */
export type Adding = Pick<UserContext, 'config' | 'user'>

/**
 * Changes the usage in one conditional statement if the account stays within its quota, and throws 'over quota'
 * otherwise. A change that takes no more space is always possible, even if the account is already over quota. Like
 * every change of the user's row, it locks the user's trees (see `lockTree`).
 */
export async function changeQuota(
  tx: Tx,
  userId: string,
  { used = 0, versions = 0, reserved = 0, items = 0 }: QuotaChange,
): Promise<void> {
  const more = used + reserved
  const change = more > 0 ? takeBytes : used > 0 ? exchangeSpace : releaseSpace
  const values = { userId, used, versions, reserved, more, items }
  const isChanged = await change(tx, values, (raised) => noteRaise(tx, userId, raised))
  if (!isChanged) throw await describeLimit(tx, userId, more)
}

/** Like `changeQuota`, but also counts added files and folders and enforces their limit in the same statement. */
export async function takeSpace(tx: Tx, ctx: Adding, coming: Coming): Promise<void> {
  const { used = 0, versions = 0, reserved = 0, items } = coming
  if (items === 0) return changeQuota(tx, ctx.user.id, coming)
  const more = used + reserved
  const { free, paid } = ctx.config.maxItems
  const take = more > 0 ? takeBytesAndItems : takeItems
  const values = { userId: ctx.user.id, used, versions, reserved, more, items, free, paid }
  const [raised] = (await take(tx, values)).rows
  if (!raised) throw await describeError(tx, ctx, items, more)
  noteRaise(tx, ctx.user.id, raised)
}

/** Why a statement of `takingSpace` failed: the space for it was refused. */
class SpaceRefused extends Error {}

/**
 * Like `takeSpace` and then `work`, which begins with a statement of its own: PostgreSQL gets both at once. `work` may get as far as
 * its first statement before there turns out to be no space, so it does nothing before that a rollback doesn't undo.
 */
export async function takingSpace<T>(
  tx: Tx,
  { config, user }: Adding,
  { used, reserved }: { used: number; reserved: number },
  work: () => Promise<T>,
): Promise<T> {
  const more = used + reserved
  const take = more > 0 ? takeBytesAndItemAhead : takeItemAhead
  const values = { userId: user.id, used, versions: 0, reserved, more, items: 1, ...config.maxItems }
  try {
    await take(tx, values, ([raised]) => {
      if (!raised) throw new SpaceRefused()
      noteRaise(tx, user.id, raised)
    })
    return await work()
  } catch (error) {
    throw error instanceof SpaceRefused ? await describeError(tx, { config, user }, 1, more) : error
  }
}

interface SpaceChange {
  userId: string
  used: number
  versions: number
  reserved: number
  more: number
  items: number
}

const changeUsage = (db: Database, value: Value<SpaceChange>) =>
  db
    .updateTable('users')
    .set((eb) => ({
      used_bytes: eb('used_bytes', '+', value('used')),
      version_bytes: eb('version_bytes', '+', value('versions')),
      reserved_bytes: eb('reserved_bytes', '+', value('reserved')),
      item_count: eb('item_count', '+', value('items')),
      tree_version: eb('tree_version', '+', 1),
    }))
    .where('id', '=', value('userId'))
    .returning(versionColumns)

/** Also works for an account that is being deleted. */
const releaseSpace = prepareExpected(changeUsage)

const changeUsageOf = (db: Database, value: Value<SpaceChange>) =>
  changeUsage(db, value).where('deleted_at', 'is', null).where('suspended_at', 'is', null)

/** Exchanges an upload's reservation for a file's usage. */
const exchangeSpace = prepareExpected(changeUsageOf)

const changeWithinQuota = (db: Database, value: Value<SpaceChange>) =>
  changeUsageOf(db, value).where((eb) =>
    eb(eb('used_bytes', '+', eb('reserved_bytes', '+', eb.val(value('more')))), '<=', eb.ref('allocated_bytes')),
  )

const takeBytes = prepareExpected(changeWithinQuota)

type ItemChange = SpaceChange & MaxItems

/** Uses the current plan, which may differ from the session's. */
const hasSpaceForItems = (value: Value<ItemChange>) => sql<boolean>`item_count + cast(${value('items')} as bigint) <=
  case plan_name when ${sql.lit(FREE_PLAN.planName)} then cast(${value('free')} as bigint) else cast(${value('paid')} as bigint) end`

const changeItems = (db: Database, value: Value<ItemChange>) => changeUsageOf(db, value).where(hasSpaceForItems(value))

const takeItems = prepareQuery(changeItems)
const takeItemAhead = prepareAhead(changeItems)

const changeBytesAndItems = (db: Database, value: Value<ItemChange>) =>
  changeWithinQuota(db, value).where(hasSpaceForItems(value))

const takeBytesAndItems = prepareQuery(changeBytesAndItems)
const takeBytesAndItemAhead = prepareAhead(changeBytesAndItems)

/** Rejects an upload early if the item limit is reached. `takeSpace` makes the final decision. */
export async function assertSpaceForItem(db: Database, ctx: Adding): Promise<void> {
  assertBelowLimit(ctx, (await readItemCount(db, { userId: ctx.user.id })).rows)
}

/** Does the same in a transaction, and lets its next statement throw. */
export function letNextAssertSpaceForItem(tx: Tx, ctx: Adding): Promise<void> {
  return readItemCountAhead(tx, { userId: ctx.user.id }, (rows) => assertBelowLimit(ctx, rows))
}

function assertBelowLimit(ctx: Adding, rows: ItemCount[]): void {
  const limit = exceededLimit(ctx, rows, 1)
  if (limit !== undefined) throw tooManyItems(limit)
}

interface ItemCount {
  item_count: number
  plan_name: string
}

/** Returns the limit if that many more items would exceed it. */
function exceededLimit({ config }: Adding, [found]: ItemCount[], items: number): number | undefined {
  if (!found) throw accountEnded()
  const limit = isPaidPlan(found.plan_name) ? config.maxItems.paid : config.maxItems.free
  return found.item_count + items > limit ? limit : undefined
}

const itemCountOf = (db: Database, value: Value<{ userId: string }>) =>
  db
    .selectFrom('users')
    .select(['item_count', 'plan_name'])
    .where('id', '=', value('userId'))
    .where('deleted_at', 'is', null)
    .where('suspended_at', 'is', null)

const readItemCount = prepareQuery(itemCountOf)
const readItemCountAhead = prepareAhead(itemCountOf)

/** The account was suspended or deleted since the request was let in. Most callers learn how their session or link ended instead. */
function accountEnded(): AppError {
  return new AppError('account_suspended', 'This account is suspended or was deleted, so nothing can be added to it.')
}

async function describeError(db: Database, ctx: Adding, items: number, bytes: number): Promise<AppError> {
  const limit = exceededLimit(ctx, (await readItemCount(db, { userId: ctx.user.id })).rows, items)
  return limit === undefined ? describeLimit(db, ctx.user.id, bytes) : tooManyItems(limit)
}

function tooManyItems(limit: number): AppError {
  const max = limit.toLocaleString('en-US')
  return new AppError(
    'item_limit',
    `You can store at most ${max} files and folders, including the trash. Permanently delete some of them, then try again.`,
  )
}

/** Rejects bytes early if they would exceed the quota. `changeQuota` makes the final decision. */
export async function assertSpaceFor(db: Database, user: SessionUser, bytes: number): Promise<void> {
  if (bytes === 0) return
  const space = await readSpace(db, user.id)
  if (bytes > space.freeBytes) throw quotaExceeded(bytes, space)
}

async function describeLimit(db: Database, userId: string, bytes: number): Promise<AppError> {
  return quotaExceeded(bytes, await readSpace(db, userId))
}

interface Space {
  freeBytes: number
  canBuyMore: boolean
}

async function readSpace(db: Database, userId: string): Promise<Space> {
  const { allocated_bytes, used_bytes, reserved_bytes, plan_name } = await db
    .selectFrom('users')
    .select(['allocated_bytes', 'used_bytes', 'reserved_bytes', 'plan_name'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('suspended_at', 'is', null)
    .executeTakeFirstOrThrow(accountEnded)
  return { freeBytes: allocated_bytes - used_bytes - reserved_bytes, canBuyMore: plan_name !== NO_PLAN_NAME }
}

function quotaExceeded(bytes: number, { freeBytes, canBuyMore }: Space): AppError {
  const missingBytes = bytes - freeBytes
  const free = freeBytes > 0 ? `${describeSize(freeBytes)} is free` : 'no space is left'
  return new AppError(
    'quota_exceeded',
    `Not enough free space. You need ${describeSize(missingBytes)} more; ${free}. Permanently delete something${canBuyMore ? ' or choose a larger plan' : ''}.`,
    { missingBytes },
  )
}

export function describeSize(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  const value = bytes / 1024 ** power
  return `${power === 0 ? value : value.toFixed(2)} ${units[power]}`
}

/** Throws if the free plan would add to the vault. Reading, renaming, restoring and deleting there stay possible. */
export function assertMayAddTo(area: Area, user: SessionUser): void {
  if (area === 'vault' && !isPaidPlan(user.planName)) {
    throw new AppError('plan_required', 'The vault is part of the paid plans.')
  }
}
