import { foldCase } from '@alcove/contract/names'
import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { textTable } from '../../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { sortKey } from '../names.ts'

type Named = Pick<ItemRow, 'id' | 'parent_id' | 'name'>

/** Items per query. SQLite answers nothing else meanwhile. */
const PAGE = 500
/** Siblings that a query reads per item. Others may share a sort key, too: those with other accents, for example. */
const SIBLINGS_PER_ITEM = 8

/**
 * Returns, by id of the item, the name of a visible sibling that differs only in case. Names with many spellings may be
 * left out: the result only warns of file systems that can't store both.
 */
export async function findCaseTwins(db: Database, items: readonly Named[]): Promise<Map<string, string>> {
  const twins = new Map<string, string>()
  for (let at = 0; at < items.length; at += PAGE) {
    const some = items.slice(at, at + PAGE)
    const siblings = Map.groupBy(await listLookalikes(db, some), foldedPlace)
    for (const item of some) {
      const twin = siblings.get(foldedPlace(item))?.find(({ name }) => name !== item.name)
      if (twin) twins.set(item.id, twin.name)
    }
  }
  return twins
}

const foldedPlace = ({ parent_id, name }: Named) => `${parent_id}/${foldCase(name)}`

/** Lists the items beside the given ones that have the same sort keys, along the list index. Each is read once. */
async function listLookalikes(db: Database, items: readonly Named[]): Promise<Named[]> {
  const places = items.map(({ parent_id, name }) => ({ parent_id, sort_key: sortKey(name) }))
  const distinct = new Map(places.map((place) => [`${place.parent_id}/${place.sort_key}`, place]))
  const rows = [...distinct.values()].flatMap((place) => ['file', 'folder'].map((kind) => ({ ...place, kind })))
  const { rows: found } = await sql<Named>`
    select items.id, items.parent_id, items.name
    from ${textTable(db, ['parent_id', 'kind', 'sort_key'], rows)} as given
    join items on items.parent_id = given.parent_id and items.kind = given.kind and items.sort_key = given.sort_key
    where items.trash_id is null
    limit ${rows.length * SIBLINGS_PER_ITEM}`.execute(db)
  return found
}
