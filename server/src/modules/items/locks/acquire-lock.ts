import { randomUUID } from 'node:crypto'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { describeDevice } from '../../../platform/http/describe-device.ts'
import { changeTree } from '../change-tree.ts'
import { getOwnItemOrRoot } from '../own-item.ts'
import { lockedBy } from './assert-unlocked.ts'
import { findLocks, type Lock } from './find-locks.ts'
import { syncLockedUntil } from './locked-until.ts'

/** The most locks that a user can have at once. */
export const MAX_LOCKS = 500
/** The longest text about its user that a client can store with a lock, in characters. */
const MAX_OWNER = 4096

/** How long a lock lasts unless it is refreshed, in seconds: by default and at most. */
const DEFAULT_TIMEOUT = 10 * 60
const MAX_TIMEOUT = 60 * 60

export interface WantedLock extends Pick<Lock, 'scope' | 'depth' | 'owner'> {
  /** In seconds. May be infinite; then the longest timeout applies. */
  timeout?: number | undefined
}

/**
 * Locks an item. Throws 'locked' with the conflicting locks: an exclusive lock conflicts with every lock of the item, of the folders
 * above with depth infinity and, if it has depth infinity itself, of everything below. Shared locks conflict only with exclusive ones.
 */
export function acquireLock(ctx: UserContext, itemId: string, wanted: WantedLock): Promise<Lock> {
  if (wanted.owner.length > MAX_OWNER) {
    throw new AppError('too_large', `The owner of a lock can have at most ${MAX_OWNER} characters.`)
  }
  return changeTree(ctx, async (tx) => {
    const item = await getOwnItemOrRoot(tx, ctx.user, itemId)
    const now = ctx.clock.now()
    const found = await findLocks({ db: tx, user: ctx.user, now }, [item.id])
    const around = [...(found?.covering(item.id) ?? []), ...(wanted.depth === 'infinity' ? listBelow(found, item) : [])]
    const conflicts = around.filter(({ scope }) => wanted.scope === 'exclusive' || scope === 'exclusive')
    if (conflicts.length > 0) throw lockedBy(conflicts)
    if (found && found.all.length >= MAX_LOCKS) throw tooManyLocks()
    // The expired ones, so that a client can't fill the table with short locks before the next sweep.
    await tx.deleteFrom('locks').where('owner_id', '=', ctx.user.id).where('expires_at', '<=', now).execute()
    const lock: Lock = {
      token: `urn:uuid:${randomUUID()}`,
      itemId: item.id,
      name: item.name,
      kind: item.kind,
      scope: wanted.scope,
      depth: wanted.depth,
      owner: wanted.owner,
      app: describeDevice(ctx.userAgent),
      createdAt: now,
      expiresAt: endOf(now, wanted.timeout),
    }
    await insertLock(ctx, tx, lock)
    await syncLockedUntil(tx, ctx.user.id)
    return lock
  })
}

function listBelow(found: Awaited<ReturnType<typeof findLocks>>, { id }: Pick<ItemRow, 'id'>): Lock[] {
  return found?.below(new Set([id])).map(({ lock }) => lock) ?? []
}

async function insertLock({ user }: UserContext, tx: Tx, lock: Lock): Promise<void> {
  await tx
    .insertInto('locks')
    .values({
      token: lock.token,
      item_id: lock.itemId,
      owner_id: user.id,
      scope: lock.scope,
      depth: lock.depth,
      holder: lock.owner,
      app: lock.app,
      session_id: user.sessionId,
      created_at: lock.createdAt,
      expires_at: lock.expiresAt,
    })
    .execute()
}

/** Extends a lock that covers the item. Throws a conflict if there is none with this token. */
export function refreshLock(
  ctx: UserContext,
  itemId: string,
  token: string,
  timeout: number | undefined,
): Promise<Lock> {
  return changeTree(ctx, async (tx) => {
    const lock = await getCovering(ctx, tx, itemId, token)
    const expiresAt = endOf(ctx.clock.now(), timeout)
    await tx.updateTable('locks').set({ expires_at: expiresAt }).where('token', '=', token).execute()
    await syncLockedUntil(tx, ctx.user.id)
    return { ...lock, expiresAt }
  })
}

/** Releases a lock that covers the item. Throws a conflict if there is none with this token. */
export function releaseLock(ctx: UserContext, itemId: string, token: string): Promise<void> {
  return changeTree(ctx, async (tx) => {
    await getCovering(ctx, tx, itemId, token)
    await deleteLocks(ctx, tx, [token])
  })
}

/** Releases all locks that app passwords hold, which are being revoked. The user's row must be locked. */
export async function releaseLocksOf(tx: Tx, userId: string, appPasswordIds: readonly string[]): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('locks')
    .where('owner_id', '=', userId)
    .where(isAmong(tx, 'session_id', appPasswordIds))
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) await syncLockedUntil(tx, userId)
}

/** Releases all locks of an item, whoever holds them, except those that it inherits. Returns how many there were. */
export function breakLocks(ctx: UserContext, itemId: string): Promise<number> {
  return changeTree(ctx, async (tx) => {
    const item = await getOwnItemOrRoot(tx, ctx.user, itemId)
    const found = await findLocks({ db: tx, user: ctx.user, now: ctx.clock.now() }, [item.id])
    const tokens = found?.all.filter((lock) => lock.itemId === item.id).map(({ token }) => token) ?? []
    if (tokens.length > 0) await deleteLocks(ctx, tx, tokens)
    return tokens.length
  })
}

async function deleteLocks({ user }: UserContext, tx: Tx, tokens: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('locks')
    .where('owner_id', '=', user.id)
    .where(isAmong(tx, 'token', tokens))
    .execute()
  await syncLockedUntil(tx, user.id)
}

async function getCovering(ctx: UserContext, tx: Tx, itemId: string, token: string): Promise<Lock> {
  const item = await getOwnItemOrRoot(tx, ctx.user, itemId)
  const found = await findLocks({ db: tx, user: ctx.user, now: ctx.clock.now() }, [item.id])
  const lock = found?.covering(item.id).find((one) => one.token === token)
  if (!lock) throw new AppError('state_conflict', 'This lock has expired or was released.')
  return lock
}

function endOf(now: number, timeout: number | undefined): number {
  const seconds = timeout === undefined || Number.isNaN(timeout) ? DEFAULT_TIMEOUT : timeout
  return now + Math.round(Math.min(Math.max(seconds, 1), MAX_TIMEOUT)) * 1000
}

function tooManyLocks(): AppError {
  return new AppError(
    'too_many_requests',
    `You have ${MAX_LOCKS} locks. Close some of the open files, then try again.`,
    { retryAfterSeconds: 60 },
  )
}
