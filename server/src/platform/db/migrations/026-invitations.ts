import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Adds invitations to create an account. `tables.ts` describes the columns. */
export async function invitations(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text } = columnTypes(engine)
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  await db.schema
    .createTable('invitations')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('email', text, (column) => column.notNull().unique())
    .addColumn('role', text, (column) => column.notNull().check(sql`role in ('user', 'admin')`))
    .addColumn('plan_id', 'integer')
    .addColumn('quota', 'bigint')
    .addColumn('invited_by', text, required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .execute()
  await db.schema.createIndex('invitations_expiry').on('invitations').column('expires_at').execute()
}
