import { CompiledQuery, PostgresAdapter, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from './database.ts'
import { withHints } from './statement-hints.ts'

/**
 * Compares a column with many values, sent as one parameter. SQLite and PostgreSQL both limit the number of parameters, and would
 * plan a statement anew for each number of them.
 *
 * SURPRISE: on PostgreSQL the values are compared as an array, not as a subquery. The planner takes a user it has no statistics of
 * for one without files, and would go through the subquery for each row.
 * Measured: moving 30,000 files of a new user took 29.7 s with a subquery and takes 0.8 s (docs/decisions/007-many-items.md).
 * Remove it when: the planner handles large subqueries without statistics.
 */
export function isAmong(
  db: Database,
  column: string,
  values: readonly string[] | readonly number[],
  type: 'text' | 'bigint' = 'text',
): RawBuilder<SqlBool> {
  return isPostgres(db)
    ? sql`${sql.ref(column)} = any(${values}::${sql.raw(type)}[])`
    : sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`
}

/** Returns a condition: the column contains a text, compared character by character. */
export function hasText(db: Database, column: string, text: string): RawBuilder<SqlBool> {
  const find = isPostgres(db) ? sql`strpos` : sql`instr`
  return sql`${find}(${sql.ref(column)}, ${text}) > 0`
}

/**
 * Returns a condition that keeps all texts which contain a folded text once `foldForSearch` has folded them: those of ASCII exactly,
 * and all others, which the database can't fold.
 */
export function mayHaveFolded(db: Database, column: string, text: string): RawBuilder<SqlBool> {
  const name = sql.ref(column)
  const lower = isPostgres(db) ? sql`lower(${name} collate "C")` : sql`lower(${name})`
  const find = isPostgres(db) ? sql`strpos` : sql`instr`
  return sql`(${find}(${lower}, ${text}) > 0 or octet_length(${name}) > length(${name}))`
}

/** Returns rows of texts as a table to select from or join with. On SQLite it is one parameter, on PostgreSQL one for each column. */
export function textTable<Column extends string>(
  db: Database,
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, string | null>>[],
): RawBuilder<unknown> {
  if (isPostgres(db)) {
    const arrays = columns.map((column) => sql`${rows.map((row) => row[column])}::text[]`)
    return sql`(select * from unnest(${sql.join(arrays)}) as given (${sql.join(columns.map((column) => sql.ref(column)))}))`
  }
  const fields = columns.map((column, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(column)}`)
  const values = JSON.stringify(rows.map((row) => columns.map((column) => row[column])))
  return sql`(select ${sql.join(fields)} from json_each(${values}))`
}

/** Returns whether a database is PostgreSQL, for the few statements that SQLite can't express. */
export function isPostgres(db: Database): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/**
 * Runs reading queries that each have an index to run along, and keeps PostgreSQL's planner from reading the whole table
 * instead.
 *
 * SURPRISE: it switches sequential and bitmap scans off. PostgreSQL may prefer one where a table was long and has just been emptied:
 * it expects the empty pages of the index to be full. A plain scan of the index also marks the entries of deleted rows, so that the
 * next one passes over them.
 * Measured: after a million names had left `search_pending`, each search read empty pages for 50 ms (docs/decisions/005-search.md).
 * Remove it when: the planner finds these indexes by itself after such a deletion, before the next vacuum.
 */
export function byIndex<T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return work(db)
  return db.connection().execute(async (connection) => {
    await connection.executeQuery(BEGIN_BY_INDEX)
    try {
      return await work(connection)
    } finally {
      await connection.executeQuery(END_BY_INDEX)
    }
  })
}

// One message: without values, PostgreSQL takes several statements.
const BEGIN_BY_INDEX = withHints(
  CompiledQuery.raw('begin read only; set local enable_seqscan = off; set local enable_bitmapscan = off'),
  'sentAhead',
)
// Nothing was changed, so what was read counts whether this succeeds or not.
const END_BY_INDEX = withHints(CompiledQuery.raw('commit'), 'unanswered')
