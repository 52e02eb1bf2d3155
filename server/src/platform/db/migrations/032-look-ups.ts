import { foldForSearch } from '@alcove/contract/search-text'
import { type Kysely, sql } from 'kysely'
import type { Engine, Tables } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Adds what looks up users by their names, and sessions by their names at the provider. `tables.ts` describes the columns. */
export async function lookUps(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text } = columnTypes(engine)
  await db.schema
    .createIndex('oidc_sessions_sid')
    .on('oidc_sessions')
    .columns(['sid', 'provider'])
    .where(sql.ref('sid'), 'is not', null)
    .execute()
  await db.schema.alterTable('users').addColumn('display_name_folded', text).execute()
  await foldNames(db as Kysely<Tables>, engine === 'sqlite')
  // What the list of users reads instead of the table on SQLite: the folded name in place of the name.
  if (engine === 'postgres') return
  await db.schema.dropIndex('users_listed').execute()
  await db.schema
    .createIndex('users_listed')
    .on('users')
    .columns(['email', 'id', 'display_name_folded', 'site_role', 'plan_id'])
    .columns(['activated_at', 'suspended_at', 'deletion_due_at', 'deleted_at', 'created_at'])
    .execute()
}

const BATCH = 1000

async function foldNames(db: Kysely<Tables>, isOnSqlite: boolean): Promise<void> {
  for (let last = ''; ; ) {
    const rows = await db
      .selectFrom('users')
      .select(['id', 'display_name'])
      .where('display_name', 'is not', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .execute()
    const folded = rows.map(({ id, display_name }) => ({ id, name: foldForSearch(display_name ?? '') }))
    if (folded.length === 0) return
    const given = JSON.stringify(folded)
    const values = isOnSqlite
      ? sql`(select value ->> 'id' as id, value ->> 'name' as name from json_each(${given}))`
      : sql`json_to_recordset(cast(${given} as json))`
    const columns = isOnSqlite ? sql`given` : sql`given (id text, name text)`
    await sql`update users set display_name_folded = given.name from ${values} as ${columns} where users.id = given.id`.execute(
      db,
    )
    last = folded.at(-1)?.id ?? ''
  }
}
