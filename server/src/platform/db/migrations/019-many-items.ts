import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { AUDIO, VIDEO } from './017-more-media.ts'

/** Less to write and less to read where there are very many items. Runs on SQLite and on PostgreSQL. */
export async function easeManyItems(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await mergeIndexes(db)
  if (engine === 'postgres') {
    await setMediaByTrigger(db)
    await coverListing(db)
  } else {
    await hintPlannerAnew(db)
  }
  await keepIndexedNames(db, engine)
}

/** An item that goes to the trash gets a new entry in every index it is in on PostgreSQL, so there are fewer. */
async function mergeIndexes(db: Kysely<unknown>): Promise<void> {
  for (const name of ['items_trash', 'items_trashed', 'items_trash_age', 'items_owner']) {
    await sql`drop index ${sql.ref(name)}`.execute(db)
  }
  // All that a user has, and among it the trash by age.
  await sql`create index items_owner on items (owner_id, trashed_at)`.execute(db)
  // What is in the trash with a folder. What is there by itself is found by its own id.
  await sql`create index items_hidden on items (trash_id) where trash_id is not null and trashed_at is null`.execute(db)
}

/** A name beside each place of the search index tells what has a text without a look at the item. */
async function keepIndexedNames(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await sql`alter table search_members add column folded ${engine === 'postgres' ? sql`text collate "C"` : sql`text`}`.execute(
    db,
  )
  // What has been built without names is built anew when there is something to be indexed next.
  await sql`update search_segments set is_stale = 1 where state = 'ready'`.execute(db)
}

/**
 * With what tells whether an item is in the trash, so that a place far down a list is found along the index alone. On
 * PostgreSQL an item that goes to the trash has a new entry there anyway; on SQLite it would be one more to write.
 */
async function coverListing(db: Kysely<unknown>): Promise<void> {
  await sql`drop index items_listing`.execute(db)
  await sql`create index items_listing on items (parent_id, kind, sort_key, id, trashed_at)`.execute(db)
}

/** The hint of step 016 went with the index that it was about. */
async function hintPlannerAnew(db: Kysely<unknown>): Promise<void> {
  await sql`insert into sqlite_stat1 (tbl, idx, stat) values ('items', 'items_owner', '1000000 100000 100000')`.execute(
    db,
  )
  await sql`analyze sqlite_schema`.execute(db) // has this connection read it anew
}

/**
 * PostgreSQL 18 reads the expression of a stored generated column anew for each row of an update that leaves the column
 * as it is: a third of the time, and four kilobytes of memory for each row until it ends. So the column becomes
 * an ordinary one, and a trigger fills it in. A step that adds a kind of media replaces both the function and the trigger.
 */
async function setMediaByTrigger(db: Kysely<unknown>): Promise<void> {
  const listOf = (extensions: readonly string[]) => sql.join(extensions.map((extension) => sql.lit(extension)))
  await sql`alter table items alter column media drop expression`.execute(db)
  await sql`create function set_media() returns trigger language plpgsql as $$ begin
    new.media := case when new.kind = 'file' and new.area = 'drive' then
      case when new.extension in (${listOf(AUDIO)}) then 'audio' when new.extension in (${listOf(VIDEO)}) then 'video' end
    end;
    return new;
  end $$`.execute(db)
  // Whatever is given for it is put right; most items are no media, and the function is not called for them.
  await sql`create trigger items_media_set before insert or update of media, extension, kind, area on items for each row
    when (new.media is not null or new.extension in (${listOf([...AUDIO, ...VIDEO])}))
    execute function set_media()`.execute(db)
}
