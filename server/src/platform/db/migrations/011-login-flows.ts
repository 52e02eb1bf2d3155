import type { Kysely } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Adds the answers to login flows of Nextcloud clients. `tables.ts` describes the columns. */
export async function loginFlows(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  await db.schema
    .createTable('login_flows')
    .addColumn('hash', text, (column) => column.primaryKey())
    // Revoking the app password must not reopen the flow.
    .addColumn('app_password_id', text, (column) => column.references('app_passwords.id').onDelete('set null'))
    .addColumn('sealed_secret', text)
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .$call(clustered)
    .execute()
}
