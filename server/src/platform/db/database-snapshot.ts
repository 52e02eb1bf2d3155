import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery, PostgresAdapter, sql } from 'kysely'
import pg from 'pg'
import { sqlitePath, type Tx } from './database.ts'

type SnapshotRow = Record<string, unknown>

/** The database at one moment, unaffected by later writes. */
export interface DatabaseSnapshot {
  /** Reads the rows that a statement without parameters selects, as they are requested. One statement at a time. */
  rows(select: string): AsyncGenerator<SnapshotRow>
}

const PAGE = 1000

/** Reads the current state of the database on a separate connection, without blocking writers. */
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
    // In WAL mode a read transaction keeps its first view and blocks nobody.
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
    // The first statement takes the snapshot.
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

/** Reads rows as a transaction sees them. */
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
