import { type Kysely, sql } from 'kysely'

/** What the lists of favorites and the sweep of the trash are read from. */
export async function indexTrashAndFavorites(db: Kysely<unknown>): Promise<void> {
  // In the order of the list. Few items are favorites, so the others pay nothing for it.
  await sql`create index items_favorites on items (owner_id, kind desc, sort_key, id)
    where favorite_at is not null and trash_id is null`.execute(db)
  await sql`create index items_trash_age on items (trashed_at, owner_id) where trashed_at is not null`.execute(db)
}
