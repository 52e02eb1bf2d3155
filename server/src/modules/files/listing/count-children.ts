import type { Database } from '../../../platform/db/database.ts'
import { prepareQuery, type Value } from '../../../platform/db/prepared-query.ts'

interface Counted {
  treeVersion: number
  total: number
}

const MAX_KEPT = 1000
/** The latest counts, by database and folder. */
const kept = new WeakMap<Database, Map<string, Counted>>()

/**
 * How many children a folder has that is itself visible. Counting a hundred thousand takes longer than reading a page of
 * them, so a count is kept for as long as nothing has changed in the user's trees: the version is read before counting,
 * and what is counted later than that is never shown for it once the version has gone up.
 */
export async function countChildren(db: Database, ownerId: string, folderId: string): Promise<number> {
  const counts = kept.get(db) ?? new Map<string, Counted>()
  kept.set(db, counts)
  const treeVersion = (await readTreeVersion(db, { ownerId })).rows[0]?.tree_version ?? 0
  const known = counts.get(folderId)
  if (known?.treeVersion === treeVersion) return known.total
  const total = Number((await countVisible(db, { folderId })).rows[0]?.total)
  counts.delete(folderId)
  counts.set(folderId, { treeVersion, total })
  const [oldest] = counts.keys()
  if (counts.size > MAX_KEPT && oldest !== undefined) counts.delete(oldest)
  return total
}

const readTreeVersion = prepareQuery((db, value: Value<{ ownerId: string }>) =>
  db.selectFrom('users').select('tree_version').where('id', '=', value('ownerId')),
)

/** Along the index of names: no row is read. */
const countVisible = prepareQuery((db, value: Value<{ folderId: string }>) =>
  db
    .selectFrom('items')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('parent_id', '=', value('folderId'))
    .where('trashed_at', 'is', null),
)
