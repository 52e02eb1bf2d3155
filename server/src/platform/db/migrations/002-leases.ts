import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Gives leases and the marker of a move tables of their own. Until now they were columns of `scrub` and rows of `jobs`. */
export async function leases(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createLeases(db, engine)
  await createMoveMarker(db, engine)
  await sql`update jobs set kind = 'delete leftovers' where kind = 'delete remains'`.execute(db)
}

async function createLeases(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  await db.schema
    .createTable('leases')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('holder', text, (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .$call(clustered)
    .execute()

  await sql`insert into leases (name, holder, expires_at)
    select 'scrub', holder, held_until from scrub where holder is not null and held_until > 0`.execute(db)
  await db.schema.alterTable('scrub').dropColumn('holder').execute()
  await db.schema.alterTable('scrub').dropColumn('held_until').execute()

  // A job that was tried held nothing any more.
  await sql`insert into leases (name, holder, expires_at)
    select 'removals ' || id, id, run_at from jobs where kind = 'held removals' and attempts = 0`.execute(db)
  await sql`delete from jobs where kind = 'held removals'`.execute(db)
}

/** One row at most: the primary key admits a single value. */
async function createMoveMarker(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text } = columnTypes(engine)
  await db.schema
    .createTable('move_marker')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('instance', text, (column) => column.notNull())
    .addColumn('store', text, (column) => column.notNull())
    .addColumn('are_rows_there', 'integer', (column) => column.notNull())
    .execute()

  const { rows } = await sql<{ payload: string }>`select payload from jobs where kind = 'moving in'`.execute(db)
  for (const { payload } of rows) {
    const { instance, store, areRowsThere } = JSON.parse(payload)
    await sql`insert into move_marker (id, instance, store, are_rows_there)
      values (1, ${instance}, ${store}, ${areRowsThere ? 1 : 0})`.execute(db)
  }
  await sql`delete from jobs where kind = 'moving in'`.execute(db)
}
