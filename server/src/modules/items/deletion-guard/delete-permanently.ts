import { sql } from 'kysely'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import { NAMED_ITEMS, noteCounted } from '../activity/note-activity.ts'
import { deleteTrashed, type TrashedItems } from '../bulk/trash.ts'
import { isUnprotected } from './protected-items.ts'

type Deleting = Pick<UserContext, 'user' | 'clock' | 'jobs'>

/**
 * Permanently deletes trashed items because a user or an app wants it, like `deleteTrashed`. Throws 'forbidden' if an app wants to
 * delete items of a mass deletion, because nothing recovers from that.
 */
export async function deletePermanently(ctx: Deleting, tx: Tx, ids: readonly string[]): Promise<void> {
  if (ctx.user.appPassword) await assertUnprotected(ctx, tx, ids)
  await noteDeletion(ctx, tx, { ids })
  await deleteTrashed(ctx, tx, ctx.user.id, { ids })
}

/** Deletes these items of the trash, or everything. An app leaves the items of mass deletions there. */
export async function emptyTrashOf(
  ctx: Deleting,
  tx: Tx,
  these: Pick<TrashedItems, 'ids' | 'trashedBy'>,
): Promise<void> {
  const { user, clock } = ctx
  const which = { ...these, ...(user.appPassword && { sparingAt: clock.now() }) }
  await noteDeletion(ctx, tx, which)
  await deleteTrashed(ctx, tx, user.id, which)
}

/** Notes at the root that items of the trash are deleted. One statement, which reads the names of a few. */
async function noteDeletion({ user, clock }: Deleting, tx: Tx, which: TrashedItems): Promise<void> {
  let doomed = tx
    .selectFrom('items')
    .where('owner_id', '=', user.id)
    .where('trashed_at', 'is not', null)
    .where('area', '=', 'drive')
  if (which.ids !== undefined) doomed = doomed.where(isAmong(tx, 'id', which.ids))
  if (which.trashedBy !== undefined) doomed = doomed.where('trashed_at', '<=', which.trashedBy)
  if (which.sparingAt !== undefined) doomed = doomed.where(isUnprotected(which.sparingAt))
  const named = await doomed
    .select(['id', 'kind', 'name'])
    .select([
      sql<number>`count(*) over ()`.as('count'),
      sql<number>`sum(case kind when 'folder' then 1 else 0 end) over ()`.as('folderCount'),
    ])
    .limit(NAMED_ITEMS)
    .execute()
  const [first] = named
  if (!first) return
  const { count, folderCount } = first
  const now = clock.now()
  // PostgreSQL returns sums as text.
  const counts = { count, folderCount: Number(folderCount) }
  noteCounted(tx, user, { action: 'deleted', folderId: user.driveRootId, named, now, ...counts })
}

async function assertUnprotected({ clock }: Deleting, tx: Tx, ids: readonly string[]): Promise<void> {
  const kept = await tx
    .selectFrom('items')
    .select('id')
    .where(isAmong(tx, 'id', ids))
    .where((eb) => eb.not(isUnprotected(clock.now())))
    .limit(1)
    .executeTakeFirst()
  if (!kept) return
  throw new AppError(
    'forbidden',
    'Many files were deleted at once. Only the owner of the account can delete them permanently.',
  )
}
