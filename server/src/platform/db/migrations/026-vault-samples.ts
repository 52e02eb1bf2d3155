import { type Kysely, sql } from 'kysely'

/** Finds the newest and the oldest files with a check value without reading the whole vault. */
export async function indexVaultSamples(db: Kysely<unknown>): Promise<void> {
  await sql`create index items_vault_checked on items (owner_id, created_at, id)
    where area = 'vault' and kind = 'file' and trash_id is null and vault_check is not null`.execute(db)
}
