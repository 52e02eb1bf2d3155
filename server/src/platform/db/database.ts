import { join } from 'node:path'
import { Kysely, sql, type Transaction } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { foldOldMigrations, INITIAL, isOldMigration, newerDatabase } from './migrations/fold-old-migrations.ts'
import { haveRun } from './migrations/have-run.ts'
import { migrations } from './migrations/migrations.ts'
import { createSqliteDialect } from './node-sqlite-dialect.ts'
import { createPostgresDialect } from './postgres-dialect.ts'
import type { Engine, Tables } from './tables.ts'

/** The database or a transaction in it: queries take either. */
export type Database = Kysely<Tables>
export type Tx = Transaction<Tables>

/** Returns the engine that the settings select. */
export function engineOf({ databaseUrl }: { databaseUrl: string | undefined }): Engine {
  return databaseUrl === undefined ? 'sqlite' : 'postgres'
}

export function sqlitePath(dataDir: string): string {
  return join(dataDir, 'alcove.sqlite')
}

/** Opens the database: PostgreSQL if an address is set, else SQLite in the data directory. */
export function openDatabase(settings: { databaseUrl: string | undefined; dataDir: string }): Database {
  if (settings.databaseUrl === undefined) {
    return new Kysely<Tables>({ dialect: createSqliteDialect(sqlitePath(settings.dataDir)) })
  }
  return new Kysely<Tables>({ dialect: createPostgresDialect(settings.databaseUrl) })
}

/** Empties SQLite's cache, from which only pages that have changed are read: others come from the system's cache. */
export async function shrinkDatabaseCache(db: Database, engine: Engine): Promise<void> {
  if (engine === 'sqlite') await sql`pragma shrink_memory`.execute(db)
}

interface MigrateOptions {
  /** The last migration to run, which may be the last one of version 0.1.0. */
  upTo?: string
  /** Called before each migration of existing tables, which may take minutes. */
  onMigration?: (name: string) => void
}

/** Runs the migrations that have not run. Several servers may do so at once: Kysely takes a lock. */
export async function migrate(db: Database, engine: Engine, { upTo, onMigration }: MigrateOptions = {}): Promise<void> {
  const known = migrations(engine)
  if (upTo === undefined && (await haveRun(db, engine, Object.keys(known)))) return
  await foldOldMigrations(db)
  let isNew = false
  const all = Object.entries(known).map(([name, { up }]): [string, Migration] => {
    function run(tx: Kysely<unknown>): Promise<void> {
      isNew ||= name === INITIAL
      if (!isNew) onMigration?.(name)
      return up(tx)
    }
    return [name, { up: run }]
  })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(all) } })
  const target = upTo !== undefined && isOldMigration(upTo) ? INITIAL : upTo
  const { error } = await (target === undefined ? migrator.migrateToLatest() : migrator.migrateTo(target))
  const unknown = error instanceof Error && /previously executed migration (\S+) is missing/.exec(error.message)?.[1]
  if (unknown) throw newerDatabase(unknown)
  if (error) throw error
}

/** The last migration that this version of the program has. */
export function latestMigration(): string {
  return Object.keys(migrations('sqlite')).at(-1) as string
}

/** Whether this version or version 0.1.0 has a migration of this name. If not, a newer version has. */
export function isMigrationKnown(name: string): boolean {
  return Object.hasOwn(migrations('sqlite'), name) || isOldMigration(name)
}
