import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Lets an item have several public links, and visitors send files through them. `tables.ts` describes the columns. */
export async function severalLinks(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

  await db.schema.alterTable('public_links').renameTo('old_public_links').execute()
  await db.schema
    .createTable('public_links')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('owner_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('item_id', text, (column) => column.notNull().references('items.id').onDelete('cascade'))
    .addColumn('is_first', 'integer', required)
    .addColumn('token', text, (column) => column.notNull().unique())
    .addColumn('label', text, (column) => column.notNull().defaultTo(''))
    .addColumn('permission', text, (column) =>
      column.notNull().check(sql`permission in ('view', 'preview', 'upload', 'view-upload')`),
    )
    .addColumn('created_at', 'bigint', required)
    .addColumn('enabled_at', 'bigint')
    .addColumn('password_hash', text)
    .addColumn('expires_at', 'bigint')
    .addColumn('download_count', 'bigint', zero)
    .addColumn('max_downloads', 'bigint')
    .addColumn('title', text)
    .addColumn('message', text)
    .addColumn('visitor_name', text, (column) =>
      column.notNull().defaultTo('none').check(sql`visitor_name in ('none', 'optional', 'required')`),
    )
    .addColumn('folder_per_visitor', 'integer', zero)
    .addColumn('max_bytes', 'bigint')
    .addColumn('max_file_bytes', 'bigint')
    .addColumn('max_files', 'bigint')
    .addColumn('file_types', text)
    .addColumn('received_files', 'bigint', zero)
    .addColumn('received_bytes', 'bigint', zero)
    .$call(clustered)
    .execute()
  // Each item had one link, so the id of the item is a unique one for it.
  await sql`
    insert into public_links
      (id, owner_id, item_id, is_first, token, permission, created_at, enabled_at, password_hash, expires_at, download_count)
    select old_public_links.item_id, items.owner_id, items.id, 1, token, 'view', coalesce(items.shared_at, items.created_at),
      items.shared_at, password_hash, expires_at, download_count
    from old_public_links join items on items.id = old_public_links.item_id`.execute(db)
  await db.schema.dropTable('old_public_links').execute()
  await db.schema.createIndex('public_links_item').on('public_links').columns(['item_id', 'created_at']).execute()
  await db.schema
    .createIndex('public_links_first')
    .on('public_links')
    .column('item_id')
    .unique()
    .where(sql.ref('is_first'), '=', sql.lit(1))
    .execute()
  await db.schema.createIndex('public_links_owner').on('public_links').columns(['owner_id', 'created_at']).execute()

  await createSubmissions(db, engine)
}

async function createSubmissions(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
  await db.schema
    .createTable('submissions')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('link_id', text, (column) => column.notNull().references('public_links.id').onDelete('cascade'))
    .addColumn('secret_hash', text, (column) => column.notNull().unique())
    .addColumn('link_password', text)
    .addColumn('visitor_name', text)
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_at', 'bigint')
    .addColumn('files', 'bigint', zero)
    .addColumn('bytes', 'bigint', zero)
    .$call(clustered)
    .execute()
  await db.schema.createIndex('submissions_link').on('submissions').columns(['link_id', 'created_at']).execute()

  await db.schema
    .createTable('submission_folders')
    .addColumn('submission_id', text, (column) => column.notNull().references('submissions.id').onDelete('cascade'))
    .addColumn('name', text, required)
    .addColumn('folder_id', text, (column) => column.notNull().references('items.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('submission_folders_key', ['submission_id', 'name'])
    .$call(clustered)
    .execute()
  await db.schema.createIndex('submission_folders_folder').on('submission_folders').column('folder_id').execute()

  await db.schema
    .alterTable('uploads')
    .addColumn('submission_id', text, (column) => column.references('submissions.id').onDelete('set null'))
    .execute()
  await db.schema
    .alterTable('uploads')
    .addColumn('link_id', text, (column) => column.references('public_links.id').onDelete('set null'))
    .execute()
  await db.schema
    .createIndex('uploads_link')
    .on('uploads')
    .columns(['link_id', 'completed_at'])
    .where(sql.ref('link_id'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('uploads_submission')
    .on('uploads')
    .column('submission_id')
    .where(sql.ref('submission_id'), 'is not', null)
    .execute()
}
