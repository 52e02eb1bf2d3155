import { type RawBuilder, sql } from 'kysely'
import type { SessionUser } from '../../context.ts'

/**
 * Limits a query of the user's items to what the request may use. An app password of one folder reaches what lies below that
 * folder, in the trash too, but not the folder itself. Members and visitors don't reach the owner's mounts. `parentId` names the
 * column with an item's parent.
 */
export function isInReach(
  user: Pick<SessionUser, 'appPassword' | 'member' | 'submission'>,
  parentId = 'items.parent_id',
): RawBuilder<boolean> {
  const { appPassword } = user
  if (!appPassword || appPassword.folderId === null) return EVERYTHING
  const isReached = isBelow(appPassword.folderId, parentId)
  return isGuest(user) && parentId === 'items.parent_id' ? sql`(items.mount_of is null and ${isReached})` : isReached
}

/** Returns whether a request is made in somebody else's tree. */
export function isGuest({ member, submission }: Pick<SessionUser, 'member' | 'submission'>): boolean {
  return member !== undefined || submission !== undefined
}

/** Like `isInReach`, for reading by id: a member also reads the shared folder itself, which only its owner changes. */
export function isReadable(user: Pick<SessionUser, 'appPassword' | 'member' | 'submission'>): RawBuilder<boolean> {
  const shared = user.member && user.appPassword?.folderId
  return shared ? isAtOrBelow(shared) : isInReach(user)
}

/** Limits a query of trashed items for a member to what they trashed themselves. They learn nothing else of the owner's trash. */
export function isInOwnTrash({ member }: Pick<SessionUser, 'member'>): RawBuilder<boolean> {
  return member ? sql<boolean>`items.trashed_by = ${member.userId}` : EVERYTHING
}

/** Limits a query of items to a folder and those below it. */
export function isAtOrBelow(folderId: string): RawBuilder<boolean> {
  return sql<boolean>`(items.id = ${folderId} or ${isBelow(folderId)})`
}

/** Limits a query of items to those below a folder, at any depth. */
export function isBelow(folderId: string, parentId = 'items.parent_id'): RawBuilder<boolean> {
  return sql<boolean>`exists (
    with recursive above (id) as (
      select ${sql.ref(parentId)}
      union all
      select folder.parent_id from above join items folder on folder.id = above.id where folder.parent_id is not null
    )
    select 1 from above where above.id = ${folderId})`
}

/** Limits a query of items to folders that others share with a user, and what lies in them. */
export function isSharedWith(userId: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    with recursive above (id, parent_id) as (
      select items.id, items.parent_id
      union all
      select folder.id, folder.parent_id from above join items folder on folder.id = above.parent_id
    )
    select 1 from above join members on members.folder_id = above.id and members.user_id = ${userId})`
}

const EVERYTHING = sql<boolean>`true`
