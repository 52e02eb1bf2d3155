import type { SharedBy } from '@alcove/contract/items'
import { type Role, suffices } from '@alcove/contract/roles'
import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'

/** Lists the folders that others share with a user, without those in the trash. */
export function listSharedFolders(db: Database, userId: string): Promise<{ id: string; ownerId: string }[]> {
  return db
    .selectFrom('members')
    .innerJoin('items', 'items.id', 'members.folder_id')
    .innerJoin('users', 'users.id', 'members.owner_id')
    .select(['items.id', 'items.owner_id as ownerId'])
    .where('members.user_id', '=', userId)
    .where('items.trash_id', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .orderBy('items.id')
    .execute()
}

/** Where a user sees an item that somebody shares: the path begins with the shared folder, whose own parent is hidden. */
export interface SharedPlace {
  path: string
  parentId: string | null
  /** The membership of the outermost shared folder. */
  memberId: string
  sharedBy: SharedBy
}

type Placed = Pick<ItemRow, 'id' | 'parent_id' | 'kind' | 'name'>

interface Step {
  id: string
  name: string
  parent_id: string | null
  /** Null, like what follows, unless this folder itself is shared with the user. */
  member_id: string | null
  role: Role | null
  email: string | null
  display_name: string | null
}

/**
 * Returns where a user sees items of others, by their ids. Items outside the folders that are shared with the user are missing. Of
 * folders inside each other that are both shared, the path begins with the outer one, and the higher role counts. One statement, which
 * reads each folder once.
 */
export async function readSharedPlaces(
  db: Database,
  userId: string,
  items: readonly Placed[],
): Promise<Map<string, SharedPlace>> {
  if (items.length === 0) return new Map()
  const starts = new Set(items.map(({ id, parent_id, kind }) => (kind === 'folder' ? id : (parent_id ?? id))))
  const { rows } = await sql<Step>`
    with recursive above (id, name, parent_id) as (
      select id, name, parent_id from items where ${isAmong(db, 'id', [...starts])} and trash_id is null
      union
      select parent.id, parent.name, parent.parent_id
      from above join items parent on parent.id = above.parent_id
    )
    select above.id, above.name, above.parent_id, members.id as member_id, members.role, users.email, users.display_name from above
    left join members on members.folder_id = above.id and members.user_id = ${userId}
    left join users on users.id = members.owner_id and users.deleted_at is null and users.suspended_at is null`.execute(
    db,
  )
  const folders = new Map(rows.map((row) => [row.id, row]))
  const places = new Map<string, SharedPlace | undefined>()
  const placeOf = (id: string | null): SharedPlace | undefined => {
    if (id === null || places.has(id)) return id === null ? undefined : places.get(id)
    const folder = folders.get(id)
    const place = folder && (withRole(within(placeOf(folder.parent_id), folder), folder.role) ?? atTop(folder))
    places.set(id, place)
    return place
  }
  const found = items.map(
    (item) => [item.id, item.kind === 'folder' ? placeOf(item.id) : within(placeOf(item.parent_id), item)] as const,
  )
  return new Map(found.filter((entry): entry is [string, SharedPlace] => entry[1] !== undefined))
}

function within(
  outer: SharedPlace | undefined,
  { parent_id, name }: Pick<Placed, 'parent_id' | 'name'>,
): SharedPlace | undefined {
  return outer && { ...outer, path: `${outer.path}/${name}`, parentId: parent_id }
}

function withRole(place: SharedPlace | undefined, role: Role | null): SharedPlace | undefined {
  if (!place || !role || suffices(place.sharedBy.role, role)) return place
  return { ...place, sharedBy: { ...place.sharedBy, role } }
}

function atTop({ name, member_id, role, email, display_name }: Step): SharedPlace | undefined {
  if (member_id === null || role === null || email === null) return undefined
  const sharedBy = { email, displayName: display_name, role }
  return { path: `/${name}`, parentId: null, memberId: member_id, sharedBy }
}
