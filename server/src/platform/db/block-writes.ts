import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { sqlitePath } from './database.ts'
import { APPLICATION } from './postgres-dialect.ts'

interface Settings {
  databaseUrl: string | undefined
  dataDir: string
}

/** Allows writes again. */
type Release = () => Promise<void>

/**
 * Blocks writes to the database; reads continue. Returns undefined if a server or another command has it open, since its work
 * must not be interrupted.
 */
export function blockWrites(settings: Settings): Promise<Release | undefined> {
  return settings.databaseUrl === undefined
    ? holdSqlite(sqlitePath(settings.dataDir))
    : holdPostgres(settings.databaseUrl)
}

async function holdSqlite(path: string): Promise<Release | undefined> {
  try {
    // In WAL mode every open connection holds a lock on the file, even when idle. So an exclusive lock proves that there is
    // none.
    withDatabase(path, (alone) => alone.exec('pragma locking_mode = exclusive; begin immediate; rollback'))
    const holding = new DatabaseSync(path, { timeout: 0 })
    try {
      holding.exec('begin immediate')
    } catch (error) {
      holding.close()
      throw error
    }
    return async () => holding.close()
  } catch (error) {
    if (isLocked(error)) return undefined
    throw error
  }
}

function withDatabase(path: string, work: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    work(database)
  } finally {
    database.close()
  }
}

const SQLITE_BUSY = 5

function isLocked(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === SQLITE_BUSY
}

async function holdPostgres(url: string): Promise<Release | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows: others } = await client.query(
      `select 1 from pg_stat_activity
       where datname = current_database() and application_name = $1 and pid <> pg_backend_pid() limit 1`,
      [APPLICATION],
    )
    if (others.length > 0) {
      await client.end()
      return undefined
    }
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = current_schema()`,
    )
    await client.query(`begin; set local lock_timeout = '10s'`)
    // A connection that doesn't show may still come to write. It waits.
    await client.query(`lock table ${tables.map(({ name }) => name).join(', ')} in share mode`)
  } catch (error) {
    await client.end()
    throw error
  }
  return () => client.end()
}
