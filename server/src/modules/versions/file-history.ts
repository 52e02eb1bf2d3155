import type { ExpressionBuilder } from 'kysely'
import { itemColumns } from '../../platform/db/columns.ts'
import type { Database } from '../../platform/db/database.ts'
import { prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import type { ItemWithHistory, Tables } from '../../platform/db/tables.ts'

/** An item with what must be known before its bytes are replaced, so that one statement finds out. */
export interface ItemToReplace extends ItemWithHistory {
  /** The digest of its bytes, and when they were found to be damaged. Null for folders too. */
  sha256: string | null
  damaged_at: number | null
  /** When its newest and its oldest version were made. Null without versions. */
  newest_version: number | null
  oldest_version: number | null
}

/** A version while its bytes are those of the file. It returns to the history with the same id and name. */
export interface RestoredVersion {
  id: string
  name: string | null
  createdAt: number
  authorId: string
  device: string
  /** The version that the bytes before it have become. */
  replacedVersionId: string
}

export function restoredVersionOf({ restored_version }: ItemWithHistory): RestoredVersion | undefined {
  return restored_version === null ? undefined : JSON.parse(restored_version)
}

/** Finds the visible item with a name in a folder. */
export async function findItemToReplace(
  db: Database,
  parentId: string,
  name: string,
): Promise<ItemToReplace | undefined> {
  return (await findByName(db, { parentId, name })).rows[0]
}

const findByName = prepareQuery((db, value: Value<{ parentId: string; name: string }>) =>
  selectWithHistory(db)
    .where('parent_id', '=', value('parentId'))
    .where('name', '=', value('name'))
    .where('trashed_at', 'is', null),
)

/**
 * Selects items with their history. The subqueries read one entry of an index each. `max` and `min` would take PostgreSQL twice as
 * long to plan.
 */
export function selectWithHistory(db: Database) {
  return db
    .selectFrom('items')
    .leftJoin('blobs', 'blobs.key', 'items.blob_key')
    .select(itemColumns.map((column) => `items.${column}` as const))
    .select(['blobs.sha256', 'blobs.damaged_at'])
    .select((eb) => [endOfHistory(eb, 'desc').as('newest_version'), endOfHistory(eb, 'asc').as('oldest_version')])
}

function endOfHistory(eb: ExpressionBuilder<Tables, 'items'>, order: 'asc' | 'desc') {
  return eb
    .selectFrom('versions')
    .select('versions.created_at')
    .whereRef('item_id', '=', 'items.id')
    .orderBy('versions.created_at', order)
    .limit(1)
}
