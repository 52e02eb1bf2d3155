import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Adds groups of sign-in providers, which have no owner. `tables.ts` describes the columns. */
export async function providerGroups(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)

  await sql`alter table people_groups alter column owner_id drop not null`.execute(db)
  for (const column of ['provider', 'issuer']) {
    await db.schema.alterTable('people_groups').addColumn(column, text).execute()
  }
  await db.schema
    .createIndex('people_groups_provider')
    .on('people_groups')
    .columns(['issuer', 'provider', 'name'])
    .unique()
    .where(sql.ref('owner_id'), 'is', null)
    .execute()
  await db.schema
    .createTable('group_identities')
    .addColumn('group_id', text, (column) => column.notNull().references('people_groups.id').onDelete('cascade'))
    .addColumn('identity_id', text, (column) => column.notNull().references('oidc_identities.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('group_identities_key', ['group_id', 'identity_id'])
    .$call(clustered)
    .execute()
  await db.schema.createIndex('group_identities_identity').on('group_identities').column('identity_id').execute()

  await db.schema.alterTable('oidc_identities').addColumn('groups_as_of', 'bigint').execute()

  await db.schema
    .alterTable('members')
    .addColumn('account_id', text, (column) => column.references('users.id').onDelete('cascade'))
    .execute()
  await db.schema
    .createIndex('members_account')
    .on('members')
    .columns(['account_id', 'created_at'])
    .where(sql.ref('account_id'), 'is not', null)
    .execute()
}
