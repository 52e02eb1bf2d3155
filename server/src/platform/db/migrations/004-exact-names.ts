import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/**
 * Compares siblings by their exact names. Until now they had different names in lower case, `name_key`, so they have different
 * names and none changes. Nothing else needs that column: searches fold names themselves.
 */
export async function exactNames(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const isSqlite = engine === 'sqlite'
  // SQLite drops no column that a trigger or an index uses.
  if (isSqlite) await sql`drop trigger search_item_added`.execute(db)
  if (isSqlite) await sql`drop trigger search_item_changed`.execute(db)
  await db.schema.dropIndex('items_sibling_name').execute()
  await db.schema.dropIndex('items_vault_name').execute()
  await db.schema.alterTable('items').dropColumn('name_key').execute()
  await db.schema.alterTable('search_pending').renameColumn('name_key', 'name').execute()
  await indexNames(db)
  await (isSqlite ? createTriggersOnSqlite(db) : replaceFunctionOnPostgres(db))
}

async function indexNames(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('items_sibling_name')
    .on('items')
    .unique()
    .columns(['parent_id', 'name'])
    .where(sql<boolean>`trashed_at is null`)
    .execute()
  await db.schema
    .createIndex('items_vault_name')
    .on('items')
    .columns(['owner_id', 'name'])
    .where(sql<boolean>`area = 'vault' and trash_id is null`)
    .execute()
}

const rememberName = sql.raw(`
  insert into search_pending (owner_id, item_id, name, stamp)
  values (new.owner_id, new.id, new.name, (select tree_version from users where id = new.owner_id))
  on conflict (owner_id, item_id) do update set name = excluded.name, stamp = excluded.stamp;`)

async function createTriggersOnSqlite(db: Kysely<unknown>): Promise<void> {
  const isSearchable = `new.area = 'drive' and new.parent_id is not null and new.trash_id is null`
  await sql`create trigger search_item_added after insert on items when ${sql.raw(isSearchable)}
    begin ${rememberName} end`.execute(db)
  await sql`create trigger search_item_changed after update of name, trash_id on items
    when ${sql.raw(`${isSearchable} and (new.name <> old.name or old.trash_id is not null)`)}
    begin ${rememberName} end`.execute(db)
}

/** The triggers stay: they call the function by its name. */
async function replaceFunctionOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function remember_searchable_name() returns trigger language plpgsql
    as $$ begin ${rememberName} return null; end $$`.execute(db)
}
