import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Adds administrators, the settings they change, and the log of what they do. `tables.ts` describes the columns. */
export async function administration(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .alterTable('users')
    .addColumn('site_role', text, (column) =>
      column.notNull().defaultTo('user').check(sql`site_role in ('user', 'admin')`),
    )
    .execute()
  for (const column of ['suspended_at', 'deletion_due_at', 'own_quota', 'last_seen_at']) {
    await db.schema.alterTable('users').addColumn(column, 'bigint').execute()
  }
  await sql`update users set last_seen_at =
    (select max(last_used_at) from sessions where sessions.user_id = users.id)`.execute(db)
  await db.schema
    .createIndex('users_admins')
    .on('users')
    .column('id')
    .where(sql.ref('site_role'), '=', sql.lit('admin'))
    .execute()
  await db.schema
    .createIndex('users_deletion_due')
    .on('users')
    .column('deletion_due_at')
    .where(sql.ref('deletion_due_at'), 'is not', null)
    .execute()

  await db.schema
    .createTable('site_settings')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('value', text, required)
    .addColumn('updated_at', 'bigint', required)
    .$call(clustered)
    .execute()

  await db.schema
    .createTable('audit_log')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('at', 'bigint', required)
    .addColumn('via', text, required)
    .addColumn('actor_id', text)
    .addColumn('actor', text, required)
    .addColumn('ip', text)
    .addColumn('action', text, required)
    .addColumn('target', text)
    .addColumn('details', text)
    .execute()
  await db.schema.createIndex('audit_log_at').on('audit_log').columns(['at', 'id']).execute()
  await makeFinal(db, engine)
  await widenScopes(db, text)
}

/** Makes the database refuse changes of entries of the audit log. */
async function makeFinal(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') {
    for (const change of ['update', 'delete']) {
      await sql`create trigger ${sql.raw(`audit_log_no_${change}`)} before ${sql.raw(change)} on audit_log
        begin select raise(abort, 'The audit log is append-only.'); end`.execute(db)
    }
    return
  }
  await sql`create function refuse_audit_log_change() returns trigger language plpgsql as
    $$ begin raise exception 'The audit log is append-only.'; end $$`.execute(db)
  await sql`create trigger audit_log_final before update or delete or truncate on audit_log
    for each statement execute function refuse_audit_log_change()`.execute(db)
}

/** SQLite can't change a check of a column, so another column takes its place. */
async function widenScopes(db: Kysely<unknown>, text: ReturnType<typeof columnTypes>['text']): Promise<void> {
  await db.schema
    .alterTable('app_passwords')
    .addColumn('wider_scope', text, (column) =>
      column.notNull().defaultTo('read').check(sql`wider_scope in ('read', 'write', 'upload', 'admin')`),
    )
    .execute()
  await sql`update app_passwords set wider_scope = scope`.execute(db)
  await db.schema.alterTable('app_passwords').dropColumn('scope').execute()
  await db.schema.alterTable('app_passwords').renameColumn('wider_scope', 'scope').execute()
}
