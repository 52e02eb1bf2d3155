import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Adds what administrators see of jobs, stored bytes and backups. `tables.ts` describes the columns. */
export async function operations(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  for (const column of ['began_at', 'failed_at']) {
    await db.schema.alterTable('jobs').addColumn(column, 'bigint').execute()
  }
  await db.schema.alterTable('jobs').addColumn('last_error', text).execute()
  await db.schema.alterTable('scrub').addColumn('round_bytes', 'bigint').execute()
  await db.schema
    .createTable('scheduled_runs')
    .addColumn('name', text, required)
    .addColumn('server', text, required)
    .addColumn('every', 'bigint', required)
    .addColumn('began_at', 'bigint', required)
    .addColumn('ended_at', 'bigint')
    .addColumn('error', text)
    .addColumn('error_at', 'bigint')
    .addColumn('updated_at', 'bigint', required)
    .addPrimaryKeyConstraint('scheduled_runs_pk', ['name', 'server'])
    .$call(clustered)
    .execute()

  await db.schema
    .createTable('storage_samples')
    .addColumn('day', text, (column) => column.primaryKey())
    .addColumn('users', 'bigint', required)
    .addColumn('used_bytes', 'bigint', required)
    .addColumn('blobs', 'bigint', required)
    .addColumn('blob_bytes', 'bigint', required)
    .$call(clustered)
    .execute()

  await db.schema
    .createTable('backup_runs')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('kind', text, (column) => column.notNull().check(sql`kind in ('backup', 'verification')`))
    .addColumn('folder', text, required)
    .addColumn('server', text, required)
    .addColumn('began_at', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .addColumn('ended_at', 'bigint')
    .addColumn('error', text)
    .addColumn('done_bytes', 'bigint', required)
    .addColumn('total_bytes', 'bigint')
    .addColumn('blobs', 'bigint')
    .addColumn('copied_bytes', 'bigint')
    .addColumn('made_at', 'bigint')
    .$call(clustered)
    .execute()
  await db.schema.createIndex('backup_runs_began').on('backup_runs').column('began_at').execute()
  // One run of each kind at a time.
  await db.schema
    .createIndex('backup_runs_open')
    .unique()
    .on('backup_runs')
    .column('kind')
    .where(sql.ref('ended_at'), 'is', null)
    .execute()
}
