import { join } from 'node:path'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Migrator } from 'kysely/migration'
import type pg from 'pg'
import { ConfigError } from '../../config.ts'
import { migrations } from './migrations/migrations.ts'
import { createSqliteDialect } from './node-sqlite-dialect.ts'
import type { Engine, Tables } from './tables.ts'

/** The database, or a transaction in it: queries take either. */
export type Database = Kysely<Tables>
export type Tx = Transaction<Tables>

/** What PostgreSQL knows our connections by. */
export const APPLICATION = 'alcove'

/** Which engine the settings say. */
export function engineOf({ databaseUrl }: { databaseUrl: string | undefined }): Engine {
  return databaseUrl === undefined ? 'sqlite' : 'postgres'
}

export function sqlitePath(dataDir: string): string {
  return join(dataDir, 'alcove.sqlite')
}

/** Opens the database: PostgreSQL where an address is given, else SQLite in the data directory. */
export function openDatabase(settings: { databaseUrl: string | undefined; dataDir: string }): Database {
  if (settings.databaseUrl === undefined) {
    return new Kysely<Tables>({ dialect: createSqliteDialect(sqlitePath(settings.dataDir)) })
  }
  const { databaseUrl } = settings
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: () => openPool(databaseUrl) }) })
}

/** The driver is loaded where there is a PostgreSQL. */
async function openPool(connectionString: string): Promise<pg.Pool> {
  const { default: driver } = await import('pg')
  // PostgreSQL's bigint arrives as text for fear of large numbers; our sizes and times stay far below 2^53.
  driver.types.setTypeParser(driver.types.builtins.INT8, Number)
  const pool = new driver.Pool({
    connectionString,
    application_name: APPLICATION,
    max: 20,
    connectionTimeoutMillis: 10_000,
  })
  // A connection that dies while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * Brings the tables up to date, or to what they were after an earlier migration. Several servers may do so at once:
 * Kysely takes a lock.
 */
export async function migrate(db: Database, engine: Engine, upTo?: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations(engine) } })
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo))
  const unknown = error instanceof Error && /previously executed migration (\S+) is missing/.exec(error.message)?.[1]
  if (unknown) {
    const message = `The database has been used by a newer version, which made the change ${unknown}`
    throw new ConfigError(`${message}: run that version, or restore a backup of before.`)
  }
  if (error) throw error
}

/** The last migration that this program knows. */
export function latestMigration(): string {
  return Object.keys(migrations('sqlite')).at(-1) as string
}

/** Whether this program knows a migration, so that it can bring tables there. */
export function isMigrationKnown(name: string): boolean {
  return Object.hasOwn(migrations('sqlite'), name)
}
