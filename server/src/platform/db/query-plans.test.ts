import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import { addManyItems } from '../../testing/factories/many-items.ts'
import type { Database } from './database.ts'
import { isAmong, textTable } from './portable-sql.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

/** Returns SQLite's query plan for a statement. */
async function planOf(statement: string): Promise<string> {
  const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(statement)}`.execute(app.services.db)
  return rows.map(({ detail }) => detail).join('\n')
}

/** Returns how many rows PostgreSQL has read without an index. */
async function countRowsRead(db: Database): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ count: number }>`
    select cast(sum(seq_tup_read) as bigint) as count from pg_stat_user_tables`.execute(db)
  return rows[0]?.count as number
}

const mine = "owner_id = 'x' and trash_id is null"

// PostgreSQL plans by statistics that it updates by itself, with some delay.
describe.runIf(process.env.ALCOVE_TEST_DATABASE === 'postgres')(
  'query plans of PostgreSQL with outdated statistics',
  () => {
    it('does not compare all given ids with each file of a new user', async () => {
      const [first, second] = [await app.createUser(), await app.createUser()]
      const names = Array.from({ length: 5_000 }, (_unused, index) => `n${index}`)
      await addManyItems(app.services, { ownerId: first.id, names })
      const { db } = app.services
      await sql`analyze items`.execute(db)
      const ids = await addManyItems(app.services, { ownerId: second.id, names })
      const requested = db
        .selectFrom('items')
        .select('id')
        .where(isAmong(db, 'id', ids))
        .where('owner_id', '=', second.id)
      const plan = (await requested.explain<Record<string, string>>()).flatMap((row) => Object.values(row)).join('\n')
      expect(plan).toMatch(/Index Scan|Bitmap|Seq Scan/)
      expect(plan).not.toMatch(/Nested Loop|Function Scan|ProjectSet/)
      expect(await requested.execute()).toHaveLength(names.length)
    })

    it('checks foreign keys by indexes in tables that were empty when it last looked', async () => {
      const empty = await createTestApp()
      const user = await empty.createUser()
      await empty.services.db.connection().execute(async (db) => {
        await sql`vacuum analyze`.execute(db)
        const addAndDelete = async (names: readonly string[]) => {
          await addManyItems({ ...empty.services, db }, { ownerId: user.id, names })
          await sql`delete from items where kind = 'file'`.execute(db)
          await sql`delete from blobs`.execute(db)
        }
        // After five times, PostgreSQL keeps its plan.
        for (let time = 0; time < 10; time += 1) await addAndDelete([`${time}`])
        const before = await countRowsRead(db)
        await addAndDelete(Array.from({ length: 1000 }, (_unused, index) => `n${index}`))
        // The statements of this test read all of them a few times.
        expect((await countRowsRead(db)) - before).toBeLessThan(10_000)
      })
      await empty.close()
    })

    it('reads the contents of folders by the index even if all known folders were large', async () => {
      const user = await app.createUser()
      await addManyItems(app.services, {
        ownerId: user.id,
        names: Array.from({ length: 5_000 }, (_u, index) => `${index}`),
      })
      const { db } = app.services
      await sql`analyze items`.execute(db)
      const given = textTable(db, ['id'], [{ id: 'a' }, { id: 'b' }, { id: 'c' }])
      const inFolders = sql`select sum(size) from ${given} as given join items on items.parent_id = given.id`
      const { rows } = await sql<Record<string, string>>`explain ${inFolders}`.execute(db)
      expect(rows.flatMap((row) => Object.values(row)).join('\n')).not.toContain('Seq Scan')
    })
  },
)

describe.skipIf(process.env.ALCOVE_TEST_DATABASE === 'postgres')('query plans of SQLite', () => {
  it.each([
    ['items by their ids', `select * from items where id in (select value from json_each('[]')) and ${mine}`],
    [
      'a name in a folder',
      `select * from items where parent_id in ('a', 'b') and name = 'c' and kind = 'file' and ${mine}`,
    ],
    [
      'the candidates of a search',
      `select * from search_members m left join items i on i.id = m.item_id
          where m.place in (select value from json_each('[]')) and instr(m.folded, 'x') > 0`,
    ],
    ['items hidden by a trashed folder', "select * from items where trash_id in ('a', 'b') and trashed_at is null"],
    ['music in folders', "select * from items where parent_id in ('a', 'b') and media = 'audio' and trash_id is null"],
    ['music', `select * from items where media = 'audio' and ${mine} order by sort_key, id`],
  ])('finds %s by an index without reading all items of the user', async (_what, statement) => {
    const plan = await planOf(statement)
    expect(plan).not.toMatch(/SCAN (items|i|m)\b/)
    expect(plan).not.toContain('items_owner')
  })

  it('finds trashed items by age with the index items_trash', async () => {
    expect(await planOf("select 1 from items where owner_id = 'x' and trashed_at <= 5")).toMatch(
      /items_trash \(owner_id=\? AND trashed_at<\?\)/,
    )
  })

  const after = '(sort_key, id) > (:a, :b) order by sort_key, id limit 9'
  it.each([
    ['a folder', `parent_id = 'a' and kind = 'folder' and trashed_at is null and ${after}`, 'items_listing'],
    ['favorites', `${mine} and kind = 'file' and favorite_at is not null and ${after}`, 'items_favorites'],
    ['music', `${mine} and media = 'audio' and ${after}`, 'items_media'],
    [
      'the trash',
      `owner_id = 'x' and trashed_at is not null and kind = 'file' and (trashed_at, id) < (:a, :b)
        order by trashed_at desc, id desc limit 9`,
      'items_trash',
    ],
  ])('reads a later page of %s along an index, without sorting', async (_what, condition, index) => {
    const plan = await planOf(`select id, name from items where ${condition}`)
    expect(plan).toMatch(new RegExp(`^SEARCH items USING (COVERING )?INDEX ${index} \\(.*[<>]\\(?\\?`))
    expect(plan.split('\n')).toHaveLength(1)
  })

  it('finds music in a folder without reading its other files', async () => {
    const inFolder = "select * from items where parent_id in ('a', 'b') and media = 'audio' and trash_id is null"
    expect(await planOf(inFolder)).toContain('items_media_below (parent_id=? AND media=?)')
  })

  it('finds the sessions of one session at a provider by an index', async () => {
    const plan = await planOf(`select session_id from oidc_sessions
      join oidc_identities on oidc_identities.id = identity_id join users on users.id = user_id
      where issuer = 'x' and provider = 'y' and sid = 'z' order by users.id`)
    expect(plan).toContain('oidc_sessions_sid (sid=? AND provider=?)')
  })

  it('finds all items of a user with the index items_owner', async () => {
    expect(await planOf("delete from items where owner_id = 'x'")).toContain('items_owner (owner_id=?)')
  })
})
