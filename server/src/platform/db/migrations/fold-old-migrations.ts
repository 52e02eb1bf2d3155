import type { Kysely } from 'kysely'
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE, MIGRATION_LOCK_ID } from 'kysely/migration'
import { ConfigError } from '../../../config.ts'
import type { Tables } from '../tables.ts'

/** The migrations of version 0.1.0. `001-initial` creates the same tables in one step. */
const OLD_MIGRATIONS: readonly string[] = [
  '001-first-tables',
  '002-trash-and-favorites',
  '003-many-items',
  '004-search-index',
  '005-thumbnails-and-digests',
  '006-public-links',
  '008-account-security',
  '009-billing',
  '010-vault',
  '011-media',
  '012-media-reading',
  '015-unsealed-blobs',
  '016-planner-hints',
  '017-more-media',
  '018-scrub',
  '019-many-items',
  '020-remains',
  '021-folder-hints',
  '022-revoked-grants',
  '023-proven-accounts',
  '024-recent-sign-in',
  '025-arriving-chunks',
  '026-vault-samples',
  '027-item-counts',
]

export const INITIAL = '001-initial'

/** Whether version 0.1.0 had a migration of this name. */
export function isOldMigration(name: string): boolean {
  return OLD_MIGRATIONS.includes(name)
}

/** Whether tables are older than those of version 0.1.0 if the named migration was the last one. */
export function isTooOld(name: string): boolean {
  return isOldMigration(name) && name !== OLD_MIGRATIONS.at(-1)
}

type MigratedTables = Tables & { kysely_migration: { name: string; timestamp: string } }

/**
 * Records `001-initial` in a database of version 0.1.0 instead of the migrations that made its tables. Does nothing in
 * any other database. Throws if the tables are older than version 0.1.0.
 */
export async function foldOldMigrations(database: Kysely<Tables>): Promise<void> {
  const db = database.withTables<Pick<MigratedTables, 'kysely_migration'>>()
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE) || !(await hasOldMigrations(db))) return
  const { adapter } = db.getExecutor()
  const lock = { lockTable: DEFAULT_MIGRATION_LOCK_TABLE, lockRowId: MIGRATION_LOCK_ID }
  await db.connection().execute(async (connection) => {
    // The lock under which Kysely migrates, so that one of several servers does it.
    await adapter.acquireMigrationLock(connection, lock)
    try {
      await connection.transaction().execute(fold)
    } finally {
      await adapter.releaseMigrationLock(connection, lock)
    }
  })
}

async function hasOldMigrations(db: Kysely<MigratedTables>): Promise<boolean> {
  const first = db
    .selectFrom('kysely_migration')
    .select('name')
    .where('name', '=', OLD_MIGRATIONS[0] as string)
  return (await first.executeTakeFirst()) !== undefined
}

async function fold(tx: Kysely<MigratedTables>): Promise<void> {
  // Another server may have done it just now.
  if (!(await hasOldMigrations(tx))) return
  const rows = await tx.selectFrom('kysely_migration').select('name').execute()
  const newer = rows.find(({ name }) => !isOldMigration(name))
  if (newer) throw newerDatabase(newer.name)
  if (rows.length < OLD_MIGRATIONS.length) {
    throw new ConfigError(
      'The database is older than version 0.1.0. Start Alcove 0.1.0 on it once, then start this version.',
    )
  }
  await tx.deleteFrom('kysely_migration').execute()
  await tx.insertInto('kysely_migration').values({ name: INITIAL, timestamp: new Date().toISOString() }).execute()
}

/** Returns the error for a database in which a newer version has run a migration. */
export function newerDatabase(migration: string): ConfigError {
  const message = `The database was migrated by a newer version (${migration})`
  return new ConfigError(`${message}. Run that version, or restore a backup made before the upgrade.`)
}
