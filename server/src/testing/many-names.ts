import { randomUUIDv7 } from 'node:crypto'
import type { Services } from '../context.ts'
import { changeTree } from '../modules/items/change-tree.ts'
import { insertItem } from '../modules/items/insert-item.ts'
import { nameKey, sortKey } from '../modules/items/names.ts'
import { changeQuota } from '../modules/items/quota.ts'
import { syncSearch } from '../modules/search/sync-search.ts'
import type { Database } from '../platform/db/database.ts'

interface Owner {
  id: string
}

/** So many are written at once. */
const ROWS = 500

/** Puts a great many folders at the root of a user's drive, whatever their names, and without any call. */
export async function addNames(db: Database, user: Owner, names: readonly string[]): Promise<void> {
  const parentId = await getRootId(db, user)
  for (let at = 0; at < names.length; at += ROWS) {
    const rows = names.slice(at, at + ROWS).map((name) => ({
      id: randomUUIDv7(),
      owner_id: user.id,
      parent_id: parentId,
      area: 'drive' as const,
      kind: 'folder' as const,
      name,
      name_key: nameKey(name),
      sort_key: sortKey(name),
      size: 0,
      created_at: 0,
      updated_at: 0,
    }))
    await changeTree({ db, user }, async (tx) => {
      await changeQuota(tx, user.id, { items: rows.length })
      await tx.insertInto('items').values(rows).execute()
    })
  }
}

/** Does what the server does by itself when names have been added: two rounds, since the first waits for more. */
export async function indexNames(services: Pick<Services, 'db' | 'clock'>): Promise<void> {
  await syncSearch(services)
  await syncSearch(services)
}

/** Stores names as uploads do, so many in a transaction; answers the microseconds that each took. */
export async function timeInserts(
  db: Database,
  user: Owner,
  names: readonly string[],
  together: number,
): Promise<number> {
  const parent = { id: await getRootId(db, user), area: 'drive' as const }
  const startedAt = performance.now()
  for (let at = 0; at < names.length; at += together) {
    await db.transaction().execute(async (tx) => {
      const some = names.slice(at, at + together)
      await changeQuota(tx, user.id, { items: some.length })
      for (const name of some) {
        const draft = { kind: 'folder' as const, name, size: 0, blob_key: null }
        await insertItem(tx, user as Parameters<typeof insertItem>[1], parent, draft, 0)
      }
    })
  }
  return ((performance.now() - startedAt) * 1000) / names.length
}

async function getRootId(db: Database, user: Owner): Promise<string> {
  const { drive_root_id } = await db
    .selectFrom('users')
    .select('drive_root_id')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  return drive_root_id
}
