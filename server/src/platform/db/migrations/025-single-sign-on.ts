import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Adds sign-in through OpenID Connect providers. `tables.ts` describes the columns. */
export async function singleSignOn(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .createTable('oidc_flows')
    .addColumn('hash', text, (column) => column.primaryKey())
    .addColumn('provider', text, required)
    .addColumn('issuer', text, required)
    .addColumn('purpose', text, (column) => column.notNull().check(sql`purpose in ('sign in', 'link', 'confirm')`))
    .addColumn('user_id', text, (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('session_id', text, (column) => column.references('sessions.id').onDelete('cascade'))
    .addColumn('expires_at', 'bigint', required)
    .$call(clustered)
    .execute()
  await db.schema.createIndex('oidc_flows_expiry').on('oidc_flows').column('expires_at').execute()
  for (const column of ['user_id', 'session_id']) {
    await db.schema
      .createIndex(`oidc_flows_${column}`)
      .on('oidc_flows')
      .column(column)
      .where(sql.ref(column), 'is not', null)
      .execute()
  }

  await db.schema
    .createTable('oidc_identities')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('user_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('issuer', text, required)
    .addColumn('subject', text, required)
    .addColumn('email', text)
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_used_at', 'bigint')
    .$call(clustered)
    .execute()
  await db.schema
    .createIndex('oidc_identities_subject')
    .on('oidc_identities')
    .columns(['issuer', 'subject'])
    .unique()
    .execute()
  await db.schema.createIndex('oidc_identities_user').on('oidc_identities').column('user_id').execute()

  await db.schema
    .createTable('oidc_sessions')
    .addColumn('session_id', text, (column) => column.primaryKey().references('sessions.id').onDelete('cascade'))
    .addColumn('identity_id', text, (column) => column.notNull().references('oidc_identities.id').onDelete('cascade'))
    .addColumn('provider', text, required)
    .addColumn('sid', text)
    .addColumn('sealed_id_token', text, required)
    .$call(clustered)
    .execute()
  await db.schema.createIndex('oidc_sessions_identity').on('oidc_sessions').column('identity_id').execute()
}
