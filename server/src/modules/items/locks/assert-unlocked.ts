import { MAX_FAILED_LISTED } from '@alcove/contract/limits'
import type { SessionUser } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { formatTime } from '../../../platform/format.ts'
import type { ActingUser } from '../activity/note-activity.ts'
import { assertNoFailures } from '../bulk/selection.ts'
import { type FoundLocks, findLocks, type Lock } from './find-locks.ts'
import { syncLockedUntil } from './locked-until.ts'

/** The user that makes a change, with the tokens of the locks that the request holds. */
export type LockUser = Pick<SessionUser, 'id' | 'appPassword' | 'lockTokens'> & ActingUser

/** An item that leaves its place, with everything below it. */
export type LeavingItem = Pick<ItemRow, 'id' | 'parent_id' | 'name'>

/**
 * Throws 'locked' if a lock whose token the request doesn't hold prevents a change of these items (RFC 4918, section 7): files that get
 * other bytes, files and folders that get other properties, and folders to which something is added. Locks with depth infinity cover
 * everything below. One statement, or none if the user has no locks. The user's tree must be locked, unless this is an early check.
 */
export async function assertUnlocked(
  db: Database,
  user: LockUser,
  now: number,
  itemIds: readonly string[],
): Promise<void> {
  await findPassable(db, user, now, itemIds, [])
}

/**
 * Throws 'locked' if a lock prevents items from leaving their places: one of theirs, of something below them or of the folders that
 * they leave. Otherwise releases the locks of the items and everything below, because a lock stays at its place (RFC 4918, section
 * 7.5). `targetId` is the folder that gets the items. The user's tree must be locked.
 */
export async function releaseLeaving(
  tx: Tx,
  user: LockUser,
  now: number,
  leaving: readonly LeavingItem[],
  targetId?: string,
): Promise<void> {
  const found = await findPassable(tx, user, now, targetId === undefined ? [] : [targetId], leaving)
  if (!found) return
  const ids = new Set(leaving.map(({ id }) => id))
  const below = found.below(ids).map(({ lock }) => lock)
  const tokens = [...found.all.filter(({ itemId }) => ids.has(itemId)), ...below].map(({ token }) => token)
  if (tokens.length === 0) return
  await tx
    .deleteFrom('locks')
    .where(isAmong(tx, 'token', tokens))
    .execute()
  await syncLockedUntil(tx, user.id)
}

/** Returns the user's locks if none of them prevents the change, or undefined if there are none. */
async function findPassable(
  db: Database,
  user: LockUser,
  now: number,
  ids: readonly string[],
  leaving: readonly LeavingItem[],
): Promise<FoundLocks | undefined> {
  const touched = [...new Set([...ids, ...leaving.map(({ parent_id }) => parent_id as string)])]
  const found = await findLocks({ db, user, now }, touched)
  if (!found || found.all.length === 0) return undefined
  const preventing = (locks: readonly Lock[]) => (isHeld(locks, user) ? [] : locks)
  const onTouched = touched.flatMap((id) => preventing(found.covering(id)))
  if (onTouched.length > 0) throw lockedBy(onTouched)
  assertNoneLocked(leaving, locksPreventing(found, leaving, preventing))
  return found
}

/** Returns the locks that prevent items from leaving, by the item. */
function locksPreventing(
  found: FoundLocks,
  leaving: readonly LeavingItem[],
  preventing: (locks: readonly Lock[]) => readonly Lock[],
): Map<string, Lock[]> {
  const prevented = new Map<string, Lock[]>()
  const add = (id: string, locks: readonly Lock[]) => {
    if (locks.length > 0) prevented.set(id, [...(prevented.get(id) ?? []), ...locks])
  }
  for (const { id, parent_id } of leaving) add(id, preventing(found.covering(id, parent_id)))
  for (const { lock, top } of found.below(new Set(leaving.map(({ id }) => id)))) {
    add(top, preventing(found.covering(lock.itemId)))
  }
  return prevented
}

/** Of several shared locks, one token is enough. */
function isHeld(locks: readonly Lock[], { lockTokens }: LockUser): boolean {
  return lockTokens !== undefined && locks.some(({ token }) => lockTokens.has(token))
}

function assertNoneLocked(leaving: readonly LeavingItem[], prevented: ReadonlyMap<string, Lock[]>): void {
  if (prevented.size === 0) return
  const all = [...prevented.values()].flat()
  if (leaving.length === 1) throw lockedBy(all)
  const refused = leaving.filter(({ id }) => prevented.has(id))
  assertNoFailures(
    refused.map(({ id, name }) => ({ itemId: id, name, refusal: lockedBy(prevented.get(id) as Lock[]) })),
    { locks: presentLocks(all) },
  )
}

/** Creates the error for a change that locks prevent. */
export function lockedBy(locks: readonly Lock[]): AppError {
  return new AppError('locked', describeLocks(locks), { locks: presentLocks(locks) })
}

function describeLocks([first]: readonly Lock[]): string {
  const { kind, app } = first as Lock
  const name = nameOf(first as Lock)
  return kind === 'file'
    ? `"${name}" is being edited in ${app}. Close it there or unlock it.`
    : `The folder "${name}" is locked by ${app}. Unlock it, then try again.`
}

/** The root of the drive has no name. */
export function nameOf({ name }: Pick<Lock, 'name'>): string {
  return name === '' ? 'All files' : name
}

function presentLocks(locks: readonly Lock[]) {
  const unique = [...new Map(locks.map((lock) => [lock.token, lock])).values()]
  return unique.slice(0, MAX_FAILED_LISTED).map((lock) => ({
    itemId: lock.itemId,
    name: nameOf(lock),
    app: lock.app,
    expiresAt: formatTime(lock.expiresAt),
  }))
}
