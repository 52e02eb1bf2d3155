import { PostgresAdapter, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Texts to be looked for with `in`, as one parameter however many they are: SQLite and PostgreSQL both have a limit on
 * parameters, and would plan a statement anew for each number of them.
 */
export function textList(db: Database, texts: readonly string[]): RawBuilder<string> {
  return isPostgres(db)
    ? sql`(select unnest(${texts}::text[]))`
    : sql`(select value from json_each(${JSON.stringify(texts)}))`
}

/** Whether a column has one of these numbers: along its index, in the index's order, and one parameter however many. */
export function isAmong(db: Database, column: string, numbers: readonly number[]): RawBuilder<SqlBool> {
  return isPostgres(db)
    ? sql`${sql.ref(column)} = any(${numbers}::bigint[])`
    : sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(numbers)}))`
}

/**
 * Whether a column has one of the values that a query gives: found along its index. Both planners take a recursive query
 * for a very large one, and would rather read the whole table of items than look into the index for each of its rows.
 */
export function isOneOf(db: Database, column: string, query: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return isPostgres(db) ? sql`${sql.ref(column)} = any(array(${query}))` : sql`${sql.ref(column)} in (${query})`
}

/** Whether a column has a text in it, character by character. */
export function hasText(db: Database, column: string, text: string): RawBuilder<SqlBool> {
  const find = isPostgres(db) ? sql`strpos` : sql`instr`
  return sql`${find}(${sql.ref(column)}, ${text}) > 0`
}

/** Rows of texts as a table to select from or to join with, its columns named; one parameter for each row or column. */
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

function isPostgres(db: Database): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
