import { byIndex } from '../../../platform/db/by-index.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { isAmong } from '../../../platform/db/text-list.ts'
import { AT_ONCE } from './is-large-account.ts'

/**
 * So many files are read ahead: PostgreSQL steps over what has been deleted at the beginning of an index each time that
 * it reads from there.
 */
const FILES_AHEAD = 4 * AT_ONCE

/**
 * All items of an account but its roots, in slices: what is in a folder before the folder, as the reference of an item to
 * its folder demands. Each slice is to be deleted before the next is asked for. Going down, some hundred folders are taken
 * together, so that many small ones cost no more than one large one.
 */
export async function* listBottomUp(db: Database, ownerId: string): AsyncGenerator<string[]> {
  const roots = await db
    .selectFrom('items')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('parent_id', 'is', null)
    .execute()
  const layers = [roots.map(({ id }) => id)]
  for (let layer = layers.at(-1); layer; layer = layers.at(-1)) {
    const folders = await listChildren(db, layer, 'folder', AT_ONCE)
    if (folders.length > 0) {
      layers.push(folders)
      continue
    }
    for (;;) {
      const files = await listChildren(db, layer, 'file', FILES_AHEAD)
      if (files.length === 0) break
      for (let at = 0; at < files.length; at += AT_ONCE) yield files.slice(at, at + AT_ONCE)
    }
    layers.pop()
    if (layers.length > 0) yield layer
  }
}

/** Whether or not they are in the trash: what is hidden there has kept its folder. */
async function listChildren(
  db: Database,
  parentIds: readonly string[],
  kind: ItemRow['kind'],
  limit: number,
): Promise<string[]> {
  if (parentIds.length === 0) return []
  const rows = await byIndex(db, (reading) =>
    reading
      .selectFrom('items')
      .select('id')
      .where(isAmong(reading, 'parent_id', parentIds))
      .where('kind', '=', kind)
      .limit(limit)
      .execute(),
  )
  return rows.map(({ id }) => id)
}
