import { PostgresAdapter, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Whether a column has one of these values, as one parameter however many they are: SQLite and PostgreSQL both have a limit
 * on parameters, and would plan a statement anew for each number of them.
 *
 * PostgreSQL finds them along the column's index, or looks each row up among them. As a query of their own it might go
 * through all of them for each row, where it takes a user of whom its statistics know nothing yet for one without files.
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
