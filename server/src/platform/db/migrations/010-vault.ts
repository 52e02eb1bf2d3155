import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/** What tells a vault file's passphrase, and the way to such a file by its name alone. Runs on SQLite and on PostgreSQL. */
export async function createVaultChecks(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`
  await sql`alter table items add column vault_check ${text}`.execute(db)
  await sql`alter table uploads add column vault_check ${text}`.execute(db)
  // The items of the drive pay nothing for it.
  await sql`create index items_vault_name on items (owner_id, name_key) where area = 'vault' and trash_id is null`.execute(
    db,
  )
}
