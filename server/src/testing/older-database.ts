import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { sql } from 'kysely'
import { createBlobKey } from '../platform/blobs/blob-key.ts'
import { DiskBlobStore } from '../platform/blobs/disk-blob-store.ts'
import { migrate, openDatabase } from '../platform/db/database.ts'
import { hashPassword } from '../platform/secrets/passwords.ts'
import { TEST_PASSWORD } from './factories.ts'

export interface OlderUser {
  email: string
  password: string
}

const FIRST = '001-first-tables'
const CONTENT = 'a few bytes that all of them share'

/** Makes a data directory as the first version would have left it: a user whose drive has so many files, copies of one. */
export async function createOlderDatabase(dataDir: string, files: number): Promise<OlderUser> {
  await mkdir(dataDir, { recursive: true })
  const [user, drive, vault, blob] = [randomUUID(), randomUUID(), randomUUID(), createBlobKey()]
  const email = 'early@example.com'
  const password = await hashPassword(TEST_PASSWORD)
  const store = new DiskBlobStore(dataDir)
  await store.writeWhole(blob, Buffer.from(CONTENT))
  await store.close()
  const db = openDatabase({ databaseUrl: undefined, dataDir })
  await migrate(db, 'sqlite', FIRST)
  const size = CONTENT.length
  await db.transaction().execute(async (tx) => {
    await sql`insert into users (id, email, password_hash, activated_at, plan_id, plan_name, allocated_bytes, used_bytes,
      drive_root_id, vault_root_id, created_at)
      values (${user}, ${email}, ${password}, 1, 0, 'free', ${2 ** 40}, ${files * size}, ${drive}, ${vault}, 1)`.execute(
      tx,
    )
    await sql`insert into blobs (key, size, created_at) values (${blob}, ${size}, 1)`.execute(tx)
    const roots = sql`insert into items (id, owner_id, area, kind, name, name_key, sort_key, created_at, updated_at) values`
    await sql`${roots} (${drive}, ${user}, 'drive', 'folder', '', '', '', 1, 1)`.execute(tx)
    await sql`${roots} (${vault}, ${user}, 'vault', 'folder', '', '', '', 1, 1)`.execute(tx)
    await sql`with recursive counted (number) as (select 1 union all select number + 1 from counted where number < ${files})
      insert into items (id, owner_id, parent_id, area, kind, name, name_key, sort_key, size, blob_key, created_at, updated_at)
      select printf('00000000-0000-4000-8000-%012d', number), ${user}, ${drive}, 'drive', 'file',
        'song ' || number || '.mp3', 'song ' || number || '.mp3', 'song ' || number || '.mp3', ${size}, ${blob}, 1, 1
      from counted`.execute(tx)
  })
  await db.destroy()
  return { email, password: TEST_PASSWORD }
}
