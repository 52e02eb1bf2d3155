import { type RawBuilder, sql } from 'kysely'
import type { SessionUser } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { isGuest } from './reach.ts'

/**
 * A mount is a row of a member's own drive that stands for a folder of somebody else. It exists as long as the membership: the
 * database deletes it with that. Only its owner sees it.
 */

/**
 * Limits a query of items to those that a list shows: without mounts in somebody else's tree, and in the own one without those whose
 * folder is in its owner's trash.
 */
export function isShown(user: Pick<SessionUser, 'member' | 'submission' | 'hasMounts'>): RawBuilder<boolean> {
  if (isGuest(user)) return isNoMount
  return user.hasMounts ? sql<boolean>`(items.mount_of is null or ${isMountShown})` : sql<boolean>`true`
}

/** Limits a query of items to those that aren't mounts. */
export const isNoMount = sql<boolean>`items.mount_of is null`

const isMountShown = sql<boolean>`exists (
  select 1 from members join items shared on shared.id = members.folder_id
  where members.id = items.mount_of and shared.trash_id is null)`

/**
 * Counts the mounts in a folder that `isShown` leaves out. No statement if there can't be any. It begins at the memberships of the tree's
 * owner, which are few, while the folder may have a hundred thousand files.
 */
export async function countUnshown(
  db: Database,
  user: Pick<SessionUser, 'id' | 'member' | 'submission' | 'hasMounts'>,
  folderId: string,
): Promise<number> {
  if (!isGuest(user) && !user.hasMounts) return 0
  const { count } = await db
    .selectFrom('members')
    .innerJoin('items', 'items.mount_of', 'members.id')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('members.user_id', '=', user.id)
    .where('items.parent_id', '=', folderId)
    .where('items.trashed_at', 'is', null)
    .$if(!isGuest(user), (mounts) => mounts.where(sql<boolean>`not ${isMountShown}`))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Throws if a folder is shared, or lies in one that is: its other members would not see a mount there, and its owner would take the
 * folder for shared with them.
 */
export async function assertMayContainMounts(tx: Tx, folderId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    with recursive above (id, parent_id) as (
      select id, parent_id from items where id = ${folderId}
      union all
      select parent.id, parent.parent_id from above join items parent on parent.id = above.parent_id
    )
    select above.id from above join members on members.folder_id = above.id limit 1`.execute(tx)
  if (rows.length === 0) return
  throw new AppError(
    'state_conflict',
    'A shared folder can’t be placed in a folder that you share. The people there would not see it.',
  )
}
