import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

interface UserCounters {
  email: string
  used_bytes: number
  reserved_bytes: number
  item_count: number
  /** The sum of the files, and that of the unfinished uploads. */
  stored: number
  arriving: number
  items: number
}

interface WrongSize {
  blob_key: string
  item_size: number
  blob_size: number
}

/**
 * Compares what stands with each user with the sums of their files, in the trash and in the vault too, and of their
 * unfinished uploads, and with the number of their files and folders. Of an account that was deleted the figures count no more. One statement, so that a running server cannot change the one between reading it and the other.
 */
export async function checkCounters(db: Database, print: (line: string) => void): Promise<number> {
  const { rows } = await sql<UserCounters>`
    select email, used_bytes, reserved_bytes, item_count, stored, arriving, items from (
      select email, deleted_at, used_bytes, users.reserved_bytes, item_count,
        cast(coalesce(files.items, 0) as bigint) as items,
        cast(coalesce(files.bytes, 0) as bigint) as stored, cast(coalesce(coming.bytes, 0) as bigint) as arriving
      from users
      left join (select owner_id, sum(size) as bytes, count(*) as items from items where parent_id is not null group by owner_id) files
        on files.owner_id = users.id
      left join (select owner_id, sum(reserved_bytes) as bytes from uploads where completed_at is null group by owner_id)
        coming on coming.owner_id = users.id) figures
    where deleted_at is null and (used_bytes <> stored or reserved_bytes <> arriving or item_count <> items) order by email`.execute(
    db,
  )
  for (const { email, used_bytes, reserved_bytes, item_count, stored, arriving, items } of rows) {
    if (used_bytes !== stored) print(`${email}: ${used_bytes} bytes are said to be used, the files have ${stored}.`)
    if (item_count !== items) {
      print(`${email}: ${item_count} files and folders are said to be there, ${items} ${items === 1 ? 'is' : 'are'}.`)
    }
    if (reserved_bytes !== arriving) {
      print(`${email}: ${reserved_bytes} bytes are said to be reserved, the unfinished uploads have ${arriving}.`)
    }
  }
  const { users } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('users'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const state = rows.length === 0 ? 'used and reserved bytes are the sums of their files and uploads' : ''
  print(`Users: ${users}, ${state || `the figures of ${rows.length} are wrong`}.`)
  return rows.length
}

/** Files that are said to have another size than their bytes. */
export async function findWrongSizes(db: Database): Promise<WrongSize[]> {
  const { rows } = await sql<WrongSize>`
    select items.blob_key, items.size as item_size, blobs.size as blob_size
    from items join blobs on blobs.key = items.blob_key where items.size <> blobs.size`.execute(db)
  return rows
}
