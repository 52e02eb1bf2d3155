import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { login } from '@alcove/contract/accounts'
import { fetchFile } from '@alcove/contract/bytes'
import { listItems } from '@alcove/contract/item-calls'
import { searchItems } from '@alcove/contract/search'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { runTestCommand } from '../../testing/clients/operator.ts'
import { openTestServer, TestClock } from '../../testing/engines/test-app.ts'
import { createTestDatabase } from '../../testing/engines/test-databases.ts'
import { createOlderDatabase, OLDER_BACKUP, OLDER_USER } from '../../testing/factories/older-database.ts'
import { engineOf, migrate, openDatabase } from './database.ts'
import { migrations } from './migrations/migrations.ts'

const isPostgres = process.env.ALCOVE_TEST_DATABASE === 'postgres'

let dataDir: string
let database: Awaited<ReturnType<typeof createTestDatabase>> | undefined
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'alcove-older-'))
  database = isPostgres ? await createTestDatabase() : undefined
})
afterEach(async () => {
  await database?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const settings = () => ({
  ...readConfig({ ALCOVE_DATA_DIR: dataDir, ALCOVE_RATE_LIMITS: 'off' }),
  databaseUrl: database?.url,
})

/** Opens the database without running migrations. */
async function withDatabase<T>(work: (db: ReturnType<typeof openDatabase>) => Promise<T>): Promise<T> {
  const db = openDatabase(settings())
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

const listMigrations = () =>
  withDatabase(async (db) => {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
    return rows.map(({ name }) => name)
  })

/** Returns a line for each column, index, constraint and trigger, without the order of columns. */
async function describeSchema(db: ReturnType<typeof openDatabase>): Promise<string[]> {
  const { rows } = isPostgres
    ? await sql<{ line: string }>`
        select concat_ws(' ', 'column', table_name, column_name, data_type, collation_name, is_nullable, column_default) as line
          from information_schema.columns where table_schema = 'public'
        union all select concat('index ', indexdef) from pg_indexes where schemaname = 'public'
        union all select concat_ws(' ', 'constraint', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
          where connamespace = 'public'::regnamespace
        union all select concat('trigger ', pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
        union all select concat_ws(' ', 'function', proname, prosrc) from pg_proc where pronamespace = 'public'::regnamespace
        union all select concat_ws(' ', 'statistics', attrelid::regclass, attname, attstattarget, attoptions, attstorage)
          from pg_attribute join pg_class on pg_class.oid = attrelid
          where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
        order by 1`.execute(db)
    : await sql<{ line: string }>`
        select concat_ws(' ', 'column', m.name, c.name, upper(c.type), c."notnull", c.dflt_value, c.pk) as line
          from sqlite_master m join pragma_table_xinfo(m.name) c where m.type = 'table'
        union all select concat_ws(' ', 'key', m.name, k."table", k."from", k."to", k.on_delete)
          from sqlite_master m join pragma_foreign_key_list(m.name) k where m.type = 'table'
        union all select concat_ws(' ', 'unique', m.name, i.origin, group_concat(x.name))
          from sqlite_master m join pragma_index_list(m.name) i join pragma_index_info(i.name) x
          where m.type = 'table' and i.origin <> 'c' group by m.name, i.name
        union all select concat(type, ' ', lower(replace(replace(replace(sql, char(10), ''), ' ', ''), '"', '')))
          from sqlite_master where type in ('index', 'trigger') and sql is not null
        order by 1`.execute(db)
  return rows.map(({ line }) => line.replace(/\s+/g, ' '))
}

/** Signs in as the user of version 0.1.0 and reads both files, whose modification date is that of their upload. */
async function expectFiles(): Promise<void> {
  const place = await openTestServer(settings(), new TestClock())
  try {
    const { status, body } = await place.as('').call(login, OLDER_USER)
    expect(status).toBe(200)
    const client = place.as((body as { token: string }).token)
    const { items } = (await client.call(listItems, {})).body
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['large.txt', 'small.txt'])
    for (const item of items) expect(item).toMatchObject({ modifiedAt: item.createdAt })
    const read = async (filename: string) => String((await client.raw(fetchFile, { filename })).bytes)
    expect(await read('small.txt')).toBe('Stored by version 0.1.0.\n')
    expect(await read('large.txt')).toBe('Alcove '.repeat(11_000))
    expect(await client.upload('new.txt', 'new')).toMatchObject({ filename: 'new.txt' })
  } finally {
    await place.stop()
  }
}

describe('upgrading a database of version 0.1.0', () => {
  it('keeps the files, and records the initial migration in place of the old ones', async () => {
    await createOlderDatabase(settings())
    expect(await listMigrations()).toHaveLength(24)
    await expectFiles()
    expect(await listMigrations()).toEqual(Object.keys(migrations('sqlite')))
  })

  it('announces each migration of existing tables once', async () => {
    const announced: string[] = []
    const onMigration = (name: string) => announced.push(name)
    await createOlderDatabase(settings())
    for (let times = 0; times < 2; times += 1) {
      await withDatabase((db) => migrate(db, engineOf(settings()), { onMigration }))
    }
    expect(announced).toEqual(Object.keys(migrations('sqlite')).slice(1))
  })

  it('folds the names of users for searches, however many they are', async () => {
    await withDatabase(async (db) => {
      await migrate(db, engineOf(settings()), { upTo: '029-site-images' })
      const users = Array.from({ length: 2_500 }, (_unused, number) => ({
        ...{ id: `${number}`, email: `${number}@example.com`, password_hash: 'x', confirmed_email: null },
        ...{ plan_id: 0, plan_name: 'free', allocated_bytes: 0, used_bytes: 0, reserved_bytes: 0, tree_version: 0 },
        ...{ drive_root_id: `d${number}`, vault_root_id: `v${number}`, created_at: 1 },
        display_name: number % 2 === 0 ? `Ördög ${number}` : null,
      }))
      for (let at = 0; at < users.length; at += 500) {
        await db
          .insertInto('users')
          .values(users.slice(at, at + 500))
          .execute()
      }
      await migrate(db, engineOf(settings()))
      const folded = db.selectFrom('users').select(['id', 'display_name_folded as name']).orderBy('id')
      const expected = users.map(({ id, display_name }) => ({ id, name: display_name && `ordog ${id}` }))
      expect(await folded.execute()).toEqual(expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    })
  })

  it('announces no migrations of a new database', async () => {
    const announced: string[] = []
    const onMigration = (name: string) => announced.push(name)
    await withDatabase((db) => migrate(db, engineOf(settings()), { onMigration }))
    expect(announced).toEqual([])
  })

  // SQLite has one server.
  it.runIf(isPostgres)('runs once when several servers start at the same time', async () => {
    await createOlderDatabase(settings())
    await Promise.all([1, 2, 3].map(() => withDatabase((db) => migrate(db, engineOf(settings())))))
    expect(await listMigrations()).toEqual(Object.keys(migrations('sqlite')))
  })

  it('keeps leases, the move marker and queued jobs', async () => {
    await createOlderDatabase(settings())
    await withDatabase(async (db) => {
      await sql`update scrub set holder = 'a server', held_until = 1000`.execute(db)
      const marker = JSON.stringify({ instance: 'an instance', store: 'a store', areRowsThere: true })
      await sql`insert into jobs (id, kind, payload, run_at, attempts) values
        ('pause', 'held removals', '{}', 2000, 0), ('claimed', 'held removals', '{}', 3000, 1),
        ('moving in', 'moving in', ${marker}, 4000, 0), ('rest', 'delete remains', '{"userId":"x"}', 5000, 0)`.execute(
        db,
      )
      await migrate(db, engineOf(settings()))
      expect(await db.selectFrom('leases').selectAll().orderBy('name').execute()).toEqual([
        { name: 'removals pause', holder: 'pause', expires_at: 2000 },
        { name: 'scrub', holder: 'a server', expires_at: 1000 },
      ])
      expect(await db.selectFrom('move_marker').selectAll().execute()).toEqual([
        { id: 1, instance: 'an instance', store: 'a store', are_rows_there: 1 },
      ])
      expect(await db.selectFrom('jobs').select(['id', 'kind']).execute()).toEqual([
        { id: 'rest', kind: 'delete leftovers' },
      ])
    })
  })

  it('keeps all names, and then accepts a name that differs from a sibling only in case or a blank', async () => {
    await createOlderDatabase(settings())
    const readItems = (db: ReturnType<typeof openDatabase>) =>
      db.selectFrom('items').select(['id', 'parent_id', 'name']).orderBy('id').execute()
    const before = await withDatabase(readItems)
    await withDatabase((db) => migrate(db, engineOf(settings())))
    expect(await withDatabase(readItems)).toEqual(before)
    const place = await openTestServer(settings(), new TestClock())
    try {
      const { body } = await place.as('').call(login, OLDER_USER)
      const client = place.as((body as { token: string }).token)
      for (const name of ['Small.txt', 'small.txt ', 'small.txt']) await client.upload(name, 'new')
      const { items } = (await client.call(listItems, {})).body
      expect(items.map(({ name }: { name: string }) => name).toSorted()).toEqual(
        ['Small.txt', 'large.txt', 'small (1).txt', 'small.txt', 'small.txt '].toSorted(),
      )
      const found = (await client.call(searchItems, { q: 'SMALL.txt' })).body
      expect(found).toHaveLength(3)
    } finally {
      await place.stop()
    }
  })

  it('takes a file in which macOS stores metadata out of the music', async () => {
    await createOlderDatabase(settings())
    await withDatabase(async (db) => {
      await sql`update items set name = '._song.mp3', extension = 'mp3' where name = 'large.txt'`.execute(db)
      const readMedia = () => db.selectFrom('items').select(['name', 'media']).where('extension', '=', 'mp3').execute()
      expect(await readMedia()).toEqual([{ name: '._song.mp3', media: 'audio' }])
      await migrate(db, engineOf(settings()))
      expect(await readMedia()).toEqual([{ name: '._song.mp3', media: null }])
    })
  })

  it('creates the same tables, indexes and triggers as in a new database', async () => {
    await createOlderDatabase(settings())
    const upgraded = await withDatabase(async (db) => {
      await migrate(db, engineOf(settings()))
      return describeSchema(db)
    })
    await database?.drop()
    database = isPostgres ? await createTestDatabase() : undefined
    await rm(join(dataDir, 'alcove.sqlite'), { force: true })
    const created = await withDatabase(async (db) => {
      await migrate(db, engineOf(settings()))
      return describeSchema(db)
    })
    expect(upgraded.length).toBeGreaterThan(100)
    expect(upgraded).toEqual(created)
  })

  it('refuses an older database and names the version to start first', async () => {
    await createOlderDatabase(settings())
    await withDatabase((db) => sql`delete from kysely_migration where name = '027-item-counts'`.execute(db))
    await expect(withDatabase((db) => migrate(db, engineOf(settings())))).rejects.toThrow(
      'The database is older than version 0.1.0. Start Alcove 0.1.0 on it once, then start this version.',
    )
    expect(await listMigrations()).toHaveLength(23)
  })
})

describe('restoring a backup of version 0.1.0', () => {
  it('restores the account and its files', async () => {
    expect(await runTestCommand(settings(), new TestClock(), 'restore', OLDER_BACKUP)).toMatchObject({ code: 0 })
    await expectFiles()
  })
})
