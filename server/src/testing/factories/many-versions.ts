import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import { thinVersions } from '../../modules/versions/thin-versions.ts'
import { textTable } from '../../platform/db/portable-sql.ts'

interface ManyVersions {
  ownerId: string
  itemId: string
  /** How many versions, and the milliseconds between two of them, back from `latest`. */
  count: number
  every: number
  latest: number
  /** The recorded size of each. No bytes are stored. */
  size?: number
}

/** Adds many versions to a file, as rows without bytes. */
export async function addManyVersions({ db }: Pick<Services, 'db'>, made: ManyVersions): Promise<void> {
  const { ownerId, itemId, count, every, latest, size = 1 } = made
  const rows = Array.from({ length: count }, (_, index) => ({
    id: randomUUIDv7(),
    blob: randomUUIDv7(),
    created_at: String(latest - index * every),
  }))
  await db.transaction().execute(async (tx) => {
    const given = textTable(tx, ['id', 'blob', 'created_at'], rows)
    await tx
      .updateTable('users')
      .set((eb) => ({
        used_bytes: eb('used_bytes', '+', size * count),
        version_bytes: eb('version_bytes', '+', size * count),
      }))
      .where('id', '=', ownerId)
      .execute()
    await sql`insert into blobs (key, size, created_at)
      select blob, cast(${size} as bigint), cast(created_at as bigint) from ${given} as given`.execute(tx)
    await sql`
      insert into versions (id, item_id, owner_id, blob_key, size, modified_at, created_at, author_id, device)
      select id, ${itemId}, ${ownerId}, blob, cast(${size} as bigint), cast(created_at as bigint),
        cast(created_at as bigint), ${ownerId}, 'Chrome on Windows'
      from ${given} as given`.execute(tx)
  })
}

/** Thins out all versions, as the server does every day. */
export function thinAllVersions(services: Services): Promise<void> {
  return thinVersions(services, new AbortController().signal)
}
