import { type CreateTableBuilder, sql } from 'kysely'
import type { Engine } from '../tables.ts'

export type ColumnTypes = ReturnType<typeof columnTypes>

/** Returns the parts of table definitions that differ between the databases. */
export function columnTypes(engine: Engine) {
  const isPostgres = engine === 'postgres'
  return {
    /** Compared byte by byte on both databases, so that both sort names alike and agree on which are equal. */
    text: isPostgres ? sql`text collate "C"` : sql`text`,
    bytes: isPostgres ? sql`bytea` : sql`blob`,
    /** A primary key that the database counts up. */
    identity: isPostgres
      ? sql`bigint generated always as identity primary key`
      : sql`integer primary key autoincrement`,
    /** Makes SQLite store a table in the order of its primary key instead of beside a second B-tree for the key. */
    clustered: <Table extends string, Column extends string>(table: CreateTableBuilder<Table, Column>) =>
      isPostgres ? table : table.modifyEnd(sql`without rowid`),
  }
}
