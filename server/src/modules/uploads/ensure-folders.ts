import type { UserContext } from '../../context.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { addFolder, assertDepthBelow, nameKey, nameTaken, type Place } from '../items/index.ts'

/** Walks down the named folders, creating those that are missing. */
export async function ensureFolders(ctx: UserContext, tx: Tx, place: Place, names: readonly string[]): Promise<Place> {
  let parent: Place = place
  for (const [level, name] of names.entries()) {
    const sibling = await findSibling(tx, parent, name)
    if (sibling?.kind === 'file') throw nameTaken(name)
    if (!sibling) await assertDepthBelow(tx, parent.id, names.length - level)
    parent = sibling ?? (await addFolder(ctx, tx, parent, name))
  }
  return parent
}

/** What has a name in a folder. */
export async function findSibling(db: Database, parent: Place, name: string): Promise<ItemRow | undefined> {
  return (await findByKey(db, { parentId: parent.id, key: nameKey(name) })).rows[0]
}

const findByKey = prepareQuery((db, value: Value<{ parentId: string; key: string }>) =>
  db
    .selectFrom('items')
    .selectAll()
    .where('parent_id', '=', value('parentId'))
    .where('name_key', '=', value('key'))
    .where('trashed_at', 'is', null),
)
