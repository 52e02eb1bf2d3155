import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { sql } from 'kysely'
import { createBlobKey } from '../../platform/blobs/blob-store.ts'
import { DiskBlobStore } from '../../platform/blobs/disk-blob-store.ts'
import { hashPassword } from '../../platform/crypto/passwords.ts'
import { migrate, openDatabase } from '../../platform/db/database.ts'
import { INITIAL, OLD_MIGRATIONS } from '../../platform/db/migrations/fold-old-migrations.ts'
import { TEST_PASSWORD } from './users.ts'

export interface OlderUser {
  email: string
  password: string
}

const CONTENT = 'a few bytes that all of them share'

/** Creates a data directory of version 0.1.0, with a user whose drive has `files` copies of one file. */
export async function createOlderDatabase(dataDir: string, files: number): Promise<OlderUser> {
  await mkdir(dataDir, { recursive: true })
  const [user, drive, vault, blob] = [randomUUID(), randomUUID(), randomUUID(), createBlobKey()]
  const email = 'early@example.com'
  const password = await hashPassword(TEST_PASSWORD)
  const store = new DiskBlobStore(dataDir)
  await store.writeWhole(blob, Buffer.from(CONTENT))
  await store.close()
  const db = openDatabase({ databaseUrl: undefined, dataDir })
  await migrate(db, 'sqlite', INITIAL)
  const size = CONTENT.length
  await db.transaction().execute(async (tx) => {
    await sql`insert into users (id, email, password_hash, activated_at, plan_id, plan_name, allocated_bytes, used_bytes,
      item_count, drive_root_id, vault_root_id, created_at)
      values (${user}, ${email}, ${password}, 1, 0, 'free', ${2 ** 40}, ${files * size},
      ${files}, ${drive}, ${vault}, 1)`.execute(tx)
    await sql`insert into blobs (key, size, created_at) values (${blob}, ${size}, 1)`.execute(tx)
    const roots = sql`insert into items (id, owner_id, area, kind, name, name_key, sort_key, created_at, updated_at) values`
    await sql`${roots} (${drive}, ${user}, 'drive', 'folder', '', '', '', 1, 1)`.execute(tx)
    await sql`${roots} (${vault}, ${user}, 'vault', 'folder', '', '', '', 1, 1)`.execute(tx)
    await sql`with recursive counted (number) as (select 1 union all select number + 1 from counted where number < ${files})
      insert into items (id, owner_id, parent_id, area, kind, name, name_key, sort_key, size, blob_key, created_at, updated_at)
      select printf('00000000-0000-4000-8000-%012d', number), ${user}, ${drive}, 'drive', 'file',
        'song ' || number || '.mp3', 'song ' || number || '.mp3', 'song ' || number || '.mp3', ${size}, ${blob}, 1, 1
      from counted`.execute(tx)
    await sql`delete from kysely_migration`.execute(tx)
    for (const name of OLD_MIGRATIONS)
      await sql`insert into kysely_migration values (${name}, '2026-01-01')`.execute(tx)
  })
  await db.destroy()
  return { email, password: TEST_PASSWORD }
}
