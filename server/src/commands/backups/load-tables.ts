import { PostgresAdapter, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { readLines } from './lines.ts'

type Row = Record<string, unknown>

/** Both databases have a limit on parameters. */
const MAX_PARAMETERS = 10_000

/** Inserts the rows that lie in files. Nobody else is at work here, so the files may be read in the transaction. */
export async function loadTables(tx: Tx, tables: readonly { name: string; path: string }[]): Promise<void> {
  const restoreReferences = await deferReferences(tx)
  for (const { name, path } of tables) {
    for await (const rows of inBatches(readLines<Row>(path))) {
      await tx
        .insertInto(name as keyof Tables)
        .values(rows as never)
        .execute()
    }
  }
  await restoreReferences()
}

async function* inBatches(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length * Object.keys(row).length < MAX_PARAMETERS) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Rows of a table that refer to others of it, as items do to their folders, come in any order: they are checked at the end. */
async function deferReferences(tx: Tx): Promise<() => Promise<void>> {
  if (!(tx.getExecutor().adapter instanceof PostgresAdapter)) {
    await sql`pragma defer_foreign_keys = on`.execute(tx)
    return async () => {}
  }
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conrelid = confrelid
      and connamespace = current_schema()::regnamespace`.execute(tx)
  for (const { table, name } of rows) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(tx)
  }
  return async () => {
    for (const { table, name, definition } of rows) {
      await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(tx)
    }
  }
}
