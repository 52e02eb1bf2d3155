import type { ErrorBody } from '@alcove/contract/errors'
import { MAX_FAILED_LISTED } from '@alcove/contract/limits'
import type { Selection } from '@alcove/contract/selection'
import { type RawBuilder, sql } from 'kysely'
import type { SessionUser } from '../../../context.ts'
import { AppError, type AppErrorDetails, notFound } from '../../../errors.ts'
import type { Database } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { isShown } from '../mounts.ts'
import { getOwnPlace, notInTrashItself } from '../own-item.ts'
import { isInOwnTrash, isInReach } from '../reach.ts'

const columns = ['id', 'parent_id', 'area', 'kind', 'name', 'trashed_at', 'trash_id', 'mount_of'] as const
export type ChosenItem = Pick<ItemRow, (typeof columns)[number]> & { parent_id: string }

/**
 * Returns the items of a selection, without duplicates. Throws 'not found' unless all are visible. One statement, or
 * two.
 */
export async function listChosen(db: Database, user: SessionUser, selection: Selection): Promise<ChosenItem[]> {
  if (!selection.allIn) return assertAllVisible(await listNamed(db, user, selection.itemIds ?? []))
  const { folderId, isEncrypted, exceptIds } = selection.allIn
  const folder = await getOwnPlace(db, user, folderId ?? undefined, isEncrypted ? 'vault' : 'drive')
  const items = await db
    .selectFrom('items')
    .select(columns)
    .where('parent_id', '=', folder.id)
    .where('trashed_at', 'is', null)
    .where(isShown(user))
    .orderBy('kind')
    .orderBy('sort_key')
    .orderBy('id')
    .$narrowType<{ parent_id: string }>()
    .execute()
  const exceptions = new Set(exceptIds)
  return exceptions.size === 0 ? items : items.filter(({ id }) => !exceptions.has(id))
}

/**
 * Returns the user's items with these ids, in the trash or not, in the order of the ids. Throws 'not found' if one is
 * missing.
 */
export async function listNamed(
  db: Database,
  user: SessionUser,
  itemIds: readonly string[],
  among?: RawBuilder<boolean>,
): Promise<ChosenItem[]> {
  const ids = [...new Set(itemIds)]
  const rows = await db
    .selectFrom('items')
    .select(columns)
    .where(isAmong(db, 'id', ids))
    .where('owner_id', '=', user.id)
    .where(isInReach(user))
    .$if(among !== undefined, (query) => query.where(among as RawBuilder<boolean>))
    .where('parent_id', 'is not', null)
    .$narrowType<{ parent_id: string }>()
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  // One error is shared by all: creating one for each of a hundred thousand items would block the event loop.
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
 * Returns the user's items with these ids that were trashed themselves. Items that went to the trash with another of
 * these items are left out, since they follow it; any other item is refused.
 */
export async function listTrashed(db: Database, user: SessionUser, itemIds: readonly string[]): Promise<ChosenItem[]> {
  const items = await listNamed(db, user, itemIds, isInOwnTrash(user))
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

/** Leaves out items below another one of the items, at any depth: they follow it. */
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

/** An item that prevents a bulk change, and the reason. */
interface Failure {
  itemId: string
  name?: string
  refusal: AppError
}

/** Throws if any item prevents the bulk change, with further details of the error. 'Not found' takes precedence. */
export function assertNoFailures(failures: readonly Failure[], details: AppErrorDetails = {}): void {
  const decisive = failures.find(({ refusal }) => refusal.code === 'not_found') ?? failures[0]
  if (!decisive) return
  const { code, message } = decisive.refusal
  const others = failures.length - 1
  throw new AppError(
    code,
    others === 0 ? message : `${message} ${describeOthers(others)} also prevented the change. Nothing was changed.`,
    { ...details, failed: failures.slice(0, MAX_FAILED_LISTED).map(presentFailure) },
  )
}

function describeOthers(count: number): string {
  return count === 1 ? 'Another item' : `${count} other items`
}

function presentFailure({ itemId, name, refusal }: Failure): NonNullable<ErrorBody['failed']>[number] {
  return { itemId, ...(name !== undefined && { name }), code: refusal.code, error: refusal.message }
}

/** Returns the response of a bulk change: `3 items restored.` and the ids. */
export function presentChanged(itemIds: string[], done: string): { message: string; count: number; itemIds: string[] } {
  const count = itemIds.length
  return { message: `${count} ${count === 1 ? 'item' : 'items'} ${done}.`, count, itemIds }
}
