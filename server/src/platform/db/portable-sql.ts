import { PostgresAdapter, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from './database.ts'

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
