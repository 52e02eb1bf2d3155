import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery, PostgresAdapter, sql } from 'kysely'
import pg from 'pg'
import { sqlitePath, type Tx } from './database.ts'

type SnapshotRow = Record<string, unknown>

/** The database as it was at one moment, whatever is written to it meanwhile. */
export interface DatabaseSnapshot {
  /** The rows that a statement without parameters selects, read as they are asked for; one statement at a time. */
  rows(select: string): AsyncGenerator<SnapshotRow>
}

const PAGE = 1000

/** Reads the database as it is now, on a connection of its own: nobody who writes to it waits for that. */
export function withSnapshot<T>(
  settings: { databaseUrl: string | undefined; dataDir: string },
  work: (snapshot: DatabaseSnapshot) => Promise<T>,
): Promise<T> {
  return settings.databaseUrl === undefined
    ? withSqliteSnapshot(sqlitePath(settings.dataDir), work)
    : withPostgresSnapshot(settings.databaseUrl, work)
}

async function withSqliteSnapshot<T>(path: string, work: (snapshot: DatabaseSnapshot) => Promise<T>): Promise<T> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    // In WAL mode a reading transaction stays at what it saw first, and holds nobody up.
    database.exec('begin; select 1 from users limit 1')
    return await work({
      async *rows(select) {
        yield* database.prepare(select).iterate() as Iterable<SnapshotRow>
      },
    })
  } finally {
    database.close()
  }
}

async function withPostgresSnapshot<T>(url: string, work: (snapshot: DatabaseSnapshot) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin transaction isolation level repeatable read read only')
    // The snapshot is taken by the first statement.
    await client.query('select 1 from users limit 1')
    return await work({
      async *rows(select) {
        await client.query(`declare backup_rows no scroll cursor for ${select}`)
        for (;;) {
          const { rows } = await client.query<SnapshotRow>(`fetch forward ${PAGE} from backup_rows`)
          yield* rows
          if (rows.length < PAGE) break
        }
        await client.query('close backup_rows')
      },
    })
  } finally {
    await client.end()
  }
}

/** The same for rows as a transaction sees them. */
export async function* rowsInTransaction(tx: Tx, select: string): AsyncGenerator<SnapshotRow> {
  if (!(tx.getExecutor().adapter instanceof PostgresAdapter)) {
    for await (const { rows } of tx.getExecutor().stream<SnapshotRow>(CompiledQuery.raw(select), PAGE)) yield* rows
    return
  }
  await sql.raw(`declare own_rows no scroll cursor for ${select}`).execute(tx)
  for (;;) {
    const { rows } = await sql.raw<SnapshotRow>(`fetch forward ${PAGE} from own_rows`).execute(tx)
    yield* rows
    if (rows.length < PAGE) break
  }
  await sql.raw('close own_rows').execute(tx)
}
