import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Services } from '../context.ts'
import { nameColumns } from '../modules/items/names.ts'
import { textTable } from '../platform/db/text-list.ts'

interface ManyFiles {
  ownerId: string
  /** The folder's own id; undefined is the root of the drive. */
  folderId?: string
  names: readonly string[]
  /** Bytes that each is said to have; nothing is stored. */
  size?: number
  kind?: 'file' | 'folder'
}

/** Puts many items into a folder at once, as rows without bytes; answers their ids, in the order of the names. */
export async function addManyItems(services: Pick<Services, 'db' | 'clock'>, made: ManyFiles): Promise<string[]> {
  const { ownerId, names, size = 1, kind = 'file' } = made
  const now = services.clock.now()
  const items = names.map((name) => ({
    id: randomUUIDv7(),
    blob: randomUUIDv7(),
    ...nameColumns(name),
  }))
  await services.db.transaction().execute(async (tx) => {
    const given = textTable(tx, ['id', 'blob', 'name', 'name_key', 'sort_key', 'extension'], items)
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
      insert into items (id, owner_id, parent_id, area, kind, name, name_key, sort_key, extension, size, blob_key, created_at, updated_at)
      select id, ${ownerId}, ${made.folderId ?? drive_root_id}, 'drive', ${kind}, name, name_key, sort_key, extension,
        cast(${kind === 'file' ? size : 0} as bigint), ${kind === 'file' ? sql`blob` : sql`null`},
        cast(${now} as bigint), cast(${now} as bigint)
      from ${given} as given`.execute(tx)
  })
  return items.map((item) => item.id)
}
