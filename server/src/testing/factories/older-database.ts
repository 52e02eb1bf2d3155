import { cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { getManifest, SECRET, tablePath } from '../../commands/backups/manifest.ts'
import { loadTables } from '../../commands/backups/table-files.ts'
import type { Config } from '../../config.ts'
import { type Database, engineOf, openDatabase } from '../../platform/db/database.ts'
import { TEST_PASSWORD } from './users.ts'

const VERSION_0_1 = join(import.meta.dirname, '../version-0.1')

/** A backup that version 0.1.0 made. */
export const OLDER_BACKUP = join(VERSION_0_1, 'backup')

/** The user in this backup, whose drive has `small.txt` and `large.txt`. */
export const OLDER_USER = { email: 'mara@example.com', password: TEST_PASSWORD }
export type OlderUser = typeof OLDER_USER

/**
 * Creates a data directory of version 0.1.0, and its database there or in PostgreSQL. Adds `files` copies of `small.txt` for
 * the user.
 */
export async function createOlderDatabase(
  settings: Pick<Config, 'dataDir' | 'databaseUrl'>,
  files = 0,
): Promise<OlderUser> {
  const { dataDir } = settings
  const manifest = await getManifest(OLDER_BACKUP)
  await mkdir(dataDir, { recursive: true })
  await cp(join(OLDER_BACKUP, 'blobs'), join(dataDir, 'blobs'), { recursive: true })
  await cp(join(OLDER_BACKUP, manifest.folder, SECRET), join(dataDir, SECRET))
  const db = openDatabase(settings)
  await createOlderTables(db, engineOf(settings))
  const tables = manifest.tables.map(({ name }) => ({ name, path: tablePath(OLDER_BACKUP, manifest, name) }))
  await db.transaction().execute((tx) => loadTables(tx, tables))
  if (files > 0) await copySmallFile(db, files)
  await db.destroy()
  return OLDER_USER
}

/** Creates the tables of version 0.1.0 in an empty database. */
export async function createOlderTables(db: Database, engine: 'sqlite' | 'postgres'): Promise<void> {
  const statements = await readFile(join(VERSION_0_1, `${engine}.sql`), 'utf8')
  // Each statement begins at the start of a line. Its other lines are indented, except for the ends of triggers.
  for (const statement of statements.split(/;\n(?=create|drop|alter|insert|delete|analyze)/)) {
    await sql.raw(statement).execute(db)
  }
}

/** Adds rows for copies of `small.txt`. Works on SQLite only. */
async function copySmallFile(db: Database, files: number): Promise<void> {
  await sql`with recursive counted (number) as (select 1 union all select number + 1 from counted where number < ${files})
    insert into items (id, owner_id, parent_id, area, kind, name, name_key, sort_key, extension, size, blob_key, created_at, updated_at)
    select printf('00000000-0000-4000-8000-%012d', number), owner_id, parent_id, 'drive', 'file',
      'song ' || number || '.mp3', 'song ' || number || '.mp3', 'song ' || number || '.mp3', 'mp3', size, blob_key, 1, 1
    from counted, (select * from items where name = 'small.txt')`.execute(db)
  await sql`update users set item_count = item_count + ${files},
    used_bytes = used_bytes + ${files} * (select size from items where name = 'small.txt')`.execute(db)
}
