import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { type Database, isMigrationKnown, openDatabase, sqlitePath } from '../../platform/db/database.ts'
import { backedUpTables } from '../backups/backed-up-tables.ts'
import { instanceOf, SECRET, writeDurably } from '../backups/manifest.ts'
import { CommandError } from '../command.ts'
import { describeStore, findMoveMarker, type MoveMarker } from './move-marker.ts'

/** Files that an attempt may have left in a new data directory if it was interrupted early. */
const LEFT_OVER = /^(lost\+found|secret(\.new)?|alcove\.sqlite(-wal|-shm)?|spool|staging)$/

/**
 * Throws if the target has other content, and writes the secret there, which everything else needs. Returns the marker if a
 * move was begun.
 */
export async function prepareTarget(source: Config, target: Config, secret: string): Promise<MoveMarker | undefined> {
  const mark = await readMark(target)
  if (mark && mark.instance !== instanceOf(secret)) {
    throw new CommandError('Another Alcove is being moved into this database. Choose another database.')
  }
  if (mark && mark.store !== describeStore(target)) {
    throw new CommandError(`The move was started with the ${mark.store}. Use that, or an empty database.`)
  }
  const hasOwnFolder = target.dataDir !== source.dataDir
  if (!mark && hasOwnFolder) await assertEmptyFolder(target.dataDir)
  if (target.secret !== undefined && target.secret !== secret) {
    throw new CommandError(
      'ALCOVE_SECRET differs from the current secret, so nobody could sign in there. Set it to the same secret or leave it unset.',
    )
  }
  if (hasOwnFolder) await mkdir(target.dataDir, { recursive: true, mode: 0o700 })
  if (target.secret === undefined) await putSecret(target.dataDir, secret)
  return mark
}

async function readMark(target: Config): Promise<MoveMarker | undefined> {
  if (target.databaseUrl === undefined && !existsSync(sqlitePath(target.dataDir))) return undefined
  const db = openDatabase(target)
  try {
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
    const names = tables.map(({ name }) => name)
    const mark = names.includes('move_marker') ? await findMoveMarker(db) : undefined
    if (!mark) await assertEmptyDatabase(db, names)
    await assertNotNewer(db, names)
    return mark
  } finally {
    await db.destroy()
  }
}

/** Our tables without users count as empty: an attempt may have been interrupted there. */
async function assertEmptyDatabase(db: Database, names: readonly string[]): Promise<void> {
  const areOurs = names.every((name) => Object.hasOwn(backedUpTables, name) || name.startsWith('kysely_migration'))
  const isUsed = names.includes('users') && (await db.selectFrom('users').select('id').limit(1).executeTakeFirst())
  if (!areOurs || isUsed) throw new CommandError('The target database is not empty. Choose an empty database.')
}

async function assertNotNewer(db: Database, names: readonly string[]): Promise<void> {
  if (!names.includes('kysely_migration')) return
  const migrations = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  if (migrations.some(({ name }) => !isMigrationKnown(name))) {
    throw new CommandError('The target database belongs to a newer version of Alcove. Choose an empty database.')
  }
}

async function assertEmptyFolder(dataDir: string): Promise<void> {
  const found = await readdir(dataDir).catch(() => [])
  if (found.some((name) => !LEFT_OVER.test(name))) {
    throw new CommandError(`${dataDir} is not empty. Use a new data directory or the current one.`)
  }
}

async function putSecret(dataDir: string, secret: string): Promise<void> {
  const kept = await readFile(join(dataDir, SECRET), 'utf8').catch(() => undefined)
  if (kept === secret) return
  if (kept !== undefined)
    throw new CommandError(`${dataDir} has the secret of another Alcove. Choose another directory.`)
  await writeDurably(dataDir, SECRET, secret)
}
