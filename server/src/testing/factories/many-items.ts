import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import { changeTree, lockTree } from '../../modules/items/change-tree.ts'
import { insertItem } from '../../modules/items/insert-item.ts'
import { nameColumns } from '../../modules/items/names.ts'
import { changeQuota } from '../../modules/items/quota.ts'
import { syncSearch } from '../../modules/search/sync-search.ts'
import { systemClock } from '../../platform/clock.ts'
import { type Database, engineOf, openDatabase } from '../../platform/db/database.ts'
import { textTable } from '../../platform/db/portable-sql.ts'
import { EventHub } from '../../platform/events/event-hub.ts'

interface ManyFiles {
  ownerId: string
  /** The id of the folder; the root of the drive if undefined. */
  folderId?: string
  names: readonly string[]
  /** The recorded size of each file. No bytes are stored. */
  size?: number
  kind?: 'file' | 'folder'
}

/** Adds many items to a folder, as rows without bytes. Returns their ids in the order of the names. */
export async function addManyItems(services: Pick<Services, 'db' | 'clock'>, made: ManyFiles): Promise<string[]> {
  const { ownerId, names, size = 1, kind = 'file' } = made
  const now = services.clock.now()
  const items = names.map((name) => ({
    id: randomUUIDv7(),
    blob: randomUUIDv7(),
    ...nameColumns(name),
  }))
  await services.db.transaction().execute(async (tx) => {
    const given = textTable(tx, ['id', 'blob', 'name', 'sort_key', 'extension'], items)
    const { drive_root_id } = await tx
      .updateTable('users')
      .set((eb) => ({
        used_bytes: eb('used_bytes', '+', kind === 'file' ? size * names.length : 0),
        item_count: eb('item_count', '+', names.length),
      }))
      .where('id', '=', ownerId)
      .returning('drive_root_id')
      .executeTakeFirstOrThrow()
    if (kind === 'file') {
      await sql`insert into blobs (key, size, created_at)
        select blob, cast(${size} as bigint), cast(${now} as bigint) from ${given} as given`.execute(tx)
    }
    await sql`
      insert into items (id, owner_id, parent_id, area, kind, name, sort_key, extension, size, blob_key, created_at, updated_at, modified_at)
      select id, ${ownerId}, ${made.folderId ?? drive_root_id}, 'drive', ${kind}, name, sort_key, extension,
        cast(${kind === 'file' ? size : 0} as bigint), ${kind === 'file' ? sql`blob` : sql`null`},
        cast(${now} as bigint), cast(${now} as bigint), ${kind === 'file' ? sql`cast(${now} as bigint)` : sql`null`}
      from ${given} as given`.execute(tx)
  })
  return items.map((item) => item.id)
}

interface Owner {
  id: string
}

/** The number of rows per insert. */
const BATCH_SIZE = 500

/** Adds very many folders to the root of a user's drive, without calls and without checks of their names. */
export async function addNames(db: Database, user: Owner, names: readonly string[]): Promise<void> {
  const parentId = await getRootId(db, user)
  for (let at = 0; at < names.length; at += BATCH_SIZE) {
    const rows = names.slice(at, at + BATCH_SIZE).map((name) => ({
      id: randomUUIDv7(),
      owner_id: user.id,
      parent_id: parentId,
      area: 'drive' as const,
      kind: 'folder' as const,
      ...nameColumns(name),
      size: 0,
      created_at: 0,
      updated_at: 0,
      modified_at: null,
    }))
    await changeTree({ db, events: new EventHub(false), user }, async (tx) => {
      await changeQuota(tx, user.id, { items: rows.length })
      await tx.insertInto('items').values(rows).execute()
    })
  }
}

/** Indexes new names, as the server does in the background. It takes two rounds, because the first waits for more names. */
export async function indexNames(services: Pick<Services, 'db' | 'clock'>): Promise<void> {
  await syncSearch(services)
  await syncSearch(services)
}

/** Inserts names as uploads do, some per transaction. Returns the microseconds per name. */
export async function timeInserts(
  db: Database,
  user: Owner,
  names: readonly string[],
  batchSize: number,
): Promise<number> {
  const parent = { id: await getRootId(db, user), area: 'drive' as const }
  const startedAt = performance.now()
  for (let at = 0; at < names.length; at += batchSize) {
    await db.transaction().execute(async (tx) => {
      const batch = names.slice(at, at + batchSize)
      await lockTree(tx, user.id)
      await changeQuota(tx, user.id, { items: batch.length })
      for (const name of batch) {
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

const INDEXED_WITHIN = 60_000

/** Adds many files to a folder of the only user of running servers, and waits until a server has indexed their names. */
export async function fillFolder(databaseUrl: string, folderId: string, names: readonly string[]): Promise<void> {
  await withServerDatabase(databaseUrl, async (db) => {
    const { id: ownerId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    await addManyItems({ db, clock: systemClock }, { ownerId, folderId, names })
    const deadline = Date.now() + INDEXED_WITHIN
    while ((await db.selectFrom('search_pending').select('item_id').limit(1).execute()).length > 0) {
      if (Date.now() > deadline) throw new Error('the names have not been indexed')
      await wait(200)
    }
    await analyzeTables({ db, config: { databaseUrl } })
  })
}

interface Needed {
  db: Database
  config: { databaseUrl: string | undefined }
}

/** Updates statistics and the visibility map on PostgreSQL, which autovacuum does only minutes after many changes. */
export async function analyzeTables({ db, config }: Needed): Promise<void> {
  if (engineOf(config) === 'postgres') await sql`vacuum analyze`.execute(db)
}

/** Opens the database of running servers for some work. */
export async function withServerDatabase<T>(databaseUrl: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ databaseUrl, dataDir: '' })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}
