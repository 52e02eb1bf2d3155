import type { Selection } from '@alcove/contract/selection'
import { sql } from 'kysely'
import type { SessionUser } from '../../../context.ts'
import { type AppError, notFound } from '../../../errors.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { isAmong } from '../../../platform/db/text-list.ts'
import { getOwnPlace, notInTrashItself } from '../own-item.ts'
import { assertNoFailures } from './bulk-change.ts'

const columns = ['id', 'parent_id', 'area', 'kind', 'name', 'trashed_at', 'trash_id'] as const
export type ChosenItem = Pick<ItemRow, (typeof columns)[number]> & { parent_id: string }

/** The items of a selection, each once, all of them visible; 'not found' otherwise. One statement, or two. */
export async function listChosen(db: Database, user: SessionUser, selection: Selection): Promise<ChosenItem[]> {
  if (!selection.allIn) return assertAllVisible(await listNamed(db, user, selection.itemIds ?? []))
  const { folderId, isEncrypted, exceptIds } = selection.allIn
  const folder = await getOwnPlace(db, user, folderId ?? undefined, isEncrypted ? 'vault' : 'drive')
  const items = await db
    .selectFrom('items')
    .select(columns)
    .where('parent_id', '=', folder.id)
    .where('trashed_at', 'is', null)
    .orderBy('kind')
    .orderBy('sort_key')
    .orderBy('id')
    .$narrowType<{ parent_id: string }>()
    .execute()
  const exceptions = new Set(exceptIds)
  return exceptions.size === 0 ? items : items.filter(({ id }) => !exceptions.has(id))
}

/** The user's own items of these ids, in or out of the trash, in the order of the ids; 'not found' if one is not. */
export async function listNamed(db: Database, user: SessionUser, itemIds: readonly string[]): Promise<ChosenItem[]> {
  const ids = [...new Set(itemIds)]
  const rows = await db
    .selectFrom('items')
    .select(columns)
    .where(isAmong(db, 'id', ids))
    .where('owner_id', '=', user.id)
    .where('parent_id', 'is not', null)
    .$narrowType<{ parent_id: string }>()
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  // One refusal for all: an error for each of a hundred thousand would hold up everybody.
  const refusal = notFound('item')
  assertNoFailures(ids.filter((id) => !found.has(id)).map((itemId) => ({ itemId, refusal })))
  return ids.map((id) => found.get(id) as ChosenItem)
}

function assertAllVisible(items: ChosenItem[]): ChosenItem[] {
  const refusals = { file: notFound('file'), folder: notFound('folder') }
  const hidden = items.filter((item) => item.trash_id !== null)
  assertNoFailures(hidden.map(({ id, kind }) => ({ itemId: id, refusal: refusals[kind] })))
  return items
}

/**
 * The user's own items of these ids that were trashed by themselves. What is in the trash with another one of them goes
 * along with that; anything else is refused.
 */
export async function listTrashed(db: Database, user: SessionUser, itemIds: readonly string[]): Promise<ChosenItem[]> {
  const items = await listNamed(db, user, itemIds)
  const ids = new Set(items.map(({ id }) => id))
  const refused = items.filter(({ trashed_at, trash_id }) => trashed_at === null && !(trash_id && ids.has(trash_id)))
  const refusals = new Map<string, AppError>()
  const refusalOf = (item: ChosenItem) => {
    const key = `${item.kind} ${item.trash_id === null}`
    const refusal = refusals.get(key) ?? notInTrashItself(item)
    refusals.set(key, refusal)
    return refusal
  }
  assertNoFailures(refused.map((item) => ({ itemId: item.id, name: item.name, refusal: refusalOf(item) })))
  return items.filter(({ trashed_at }) => trashed_at !== null)
}

/** Leaves out what lies below another one of the items, at any depth: it goes along with that. */
export async function keepTopmost(db: Database, items: ChosenItem[]): Promise<ChosenItem[]> {
  const folders = new Set(items.filter(({ kind }) => kind === 'folder').map(({ id }) => id))
  const parents = [...new Set(items.map((item) => item.parent_id))]
  // Siblings are never below each other.
  if (folders.size === 0 || parents.length === 1) return items
  const { rows } = await sql<{ id: string; parent_id: string | null }>`
    with recursive above (id, parent_id) as (
      select id, parent_id from items where ${isAmong(db, 'id', parents)}
      union
      select parent.id, parent.parent_id from above join items parent on parent.id = above.parent_id
    )
    select id, parent_id from above`.execute(db)
  const parentOf = new Map(rows.map((row) => [row.id, row.parent_id]))
  const known = new Map<string, boolean>()
  const isWithinChosen = (id: string): boolean => {
    const response = known.get(id)
    if (response !== undefined) return response
    const parent = parentOf.get(id)
    const isWithin = folders.has(id) || (parent != null && isWithinChosen(parent))
    known.set(id, isWithin)
    return isWithin
  }
  return items.filter((item) => !isWithinChosen(item.parent_id))
}
