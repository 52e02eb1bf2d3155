import type { Activity } from '@alcove/contract/activity'
import type { Selectable } from 'kysely'
import type { SessionUser } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import type { ActivityTable, ItemRow } from '../../platform/db/tables.ts'
import { formatTime } from '../../platform/format.ts'
import { isReadable, NAMED_ITEMS, parentOf } from '../items/index.ts'

/** An entry with the account of the user who did it. */
export type FoundActivity = Selectable<ActivityTable> & { email: string | null; display_name: string | null }

type Reader = Pick<SessionUser, 'id' | 'driveRootId' | 'vaultRootId' | 'appPassword' | 'member'>
type FoundItem = Pick<ItemRow, 'id' | 'parent_id' | 'trash_id'>
type NamedItem = Omit<Activity['items'][number], 'exists' | 'parentId'>
type Place = NonNullable<Activity['folder']>

/**
 * Presents entries as a user sees them. Who is limited to a folder doesn't learn of folders outside it: what was moved out of it has
 * no folder, and what came from elsewhere no origin. One statement finds what still exists.
 */
export async function presentActivities(
  db: Database,
  user: Reader,
  rows: readonly FoundActivity[],
): Promise<Activity[]> {
  const entries = rows.map((row) => ({ row, items: readItems(row) }))
  const ids = entries.flatMap(({ row, items }) => [row.folder_id, row.origin_id, ...items.map(({ id }) => id)])
  const found = await findReadable(db, user, [...new Set(ids.filter((id) => id !== null))])
  const exists = (id: string) => found.get(id)?.trash_id === null
  const parentIdOf = (id: string) => {
    const item = found.get(id)
    return item?.trash_id === null ? parentOf(item, user) : null
  }
  const isLimited = (user.appPassword?.folderId ?? null) !== null
  const placeOf = (id: string | null, name: string | null): Place | null => {
    if (id === null || name === null) return null
    if (id === user.driveRootId && !user.member) return { id: null, name: '', exists: true }
    if (isLimited && !found.has(id)) return null
    return { id, name, exists: exists(id) }
  }
  return entries.map(({ row, items }) => ({
    id: row.id,
    action: row.action,
    actor: describeActor(row, user),
    count: row.count,
    folderCount: row.folder_count,
    items: items.map((item) => ({ ...item, exists: exists(item.id), parentId: parentIdOf(item.id) })),
    folder: placeOf(row.folder_id, row.folder_name),
    origin: placeOf(row.origin_id, row.origin_name),
    beganAt: formatTime(row.began_at),
    lastAt: formatTime(row.last_at),
  }))
}

function readItems({ items }: FoundActivity): NamedItem[] {
  return (JSON.parse(`[${items}]`) as NamedItem[]).slice(0, NAMED_ITEMS)
}

/** Finds those of these items that a user can read, in the trash or not. */
async function findReadable(db: Database, user: Reader, ids: readonly string[]): Promise<Map<string, FoundItem>> {
  const rows = await db
    .selectFrom('items')
    .select(['id', 'parent_id', 'trash_id'])
    .where(isAmong(db, 'id', ids))
    .where('owner_id', '=', user.id)
    .where(isReadable(user))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Members learn who did something, but not with which app. */
function describeActor(row: FoundActivity, { id, member }: Reader): Activity['actor'] {
  const app = row.via === 'app' && !member ? row.label : null
  if (row.via === 'server') return { kind: 'server', name: '', isYou: false, app }
  if (row.via === 'visitor') return { kind: 'visitor', name: row.label ?? '', isYou: false, app }
  const isYou = row.actor_id === (member?.userId ?? id)
  return { kind: 'user', name: row.display_name ?? row.email ?? '', isYou, app }
}
