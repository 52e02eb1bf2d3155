import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { type Database, isMigrationKnown, openDatabase, sqlitePath } from '../../platform/db/database.ts'
import { backedUpTables } from '../backups/backed-up-tables.ts'
import { instanceOf, SECRET, writeDurably } from '../backups/manifest.ts'
import { CommandError } from '../command.ts'
import { describeStore, findMoveMarker, type MoveMarker } from './move-marker.ts'

/** What an attempt that was broken off before its mark may have left in a new data directory. */
const LEFT_OVER = /^(lost\+found|secret(\.new)?|alcove\.sqlite(-wal|-shm)?|spool|staging)$/

/**
 * Refuses a place where something else is, and puts the secret there, which everything else is opened with. Answers the mark
 * of a moving that was begun.
 */
export async function prepareTarget(source: Config, target: Config, secret: string): Promise<MoveMarker | undefined> {
  const mark = await readMark(target)
  if (mark && mark.instance !== instanceOf(secret)) {
    throw new CommandError('Into this database another Alcove is being moved. Name another one.')
  }
  if (mark && mark.store !== describeStore(target)) {
    throw new CommandError(`The moving was begun with the ${mark.store}. Name that, or an empty database.`)
  }
  const hasOwnFolder = target.dataDir !== source.dataDir
  if (!mark && hasOwnFolder) await assertEmptyFolder(target.dataDir)
  if (target.secret !== undefined && target.secret !== secret) {
    throw new CommandError('ALCOVE_SECRET is another one than now: nobody could sign in there. Give the same, or none.')
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
    const mark = names.includes('jobs') ? await findMoveMarker(db) : undefined
    if (!mark) await assertEmptyDatabase(db, names)
    await assertNotNewer(db, names)
    return mark
  } finally {
    await db.destroy()
  }
}

/** Tables of ours without users are as good as none: an attempt may have been broken off there. */
async function assertEmptyDatabase(db: Database, names: readonly string[]): Promise<void> {
  const areOurs = names.every((name) => Object.hasOwn(backedUpTables, name) || name.startsWith('kysely_migration'))
  const isUsed = names.includes('users') && (await db.selectFrom('users').select('id').limit(1).executeTakeFirst())
  if (!areOurs || isUsed) throw new CommandError('The database to move to is not empty. Name an empty one.')
}

async function assertNotNewer(db: Database, names: readonly string[]): Promise<void> {
  if (!names.includes('kysely_migration')) return
  const migrations = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  if (migrations.some(({ name }) => !isMigrationKnown(name))) {
    throw new CommandError('The database to move to is one of a newer version of Alcove. Name an empty one.')
  }
}

async function assertEmptyFolder(dataDir: string): Promise<void> {
  const found = await readdir(dataDir).catch(() => [])
  if (found.some((name) => !LEFT_OVER.test(name))) {
    throw new CommandError(`${dataDir} is not empty. Name a new data directory, or the one of now.`)
  }
}

async function putSecret(dataDir: string, secret: string): Promise<void> {
  const kept = await readFile(join(dataDir, SECRET), 'utf8').catch(() => undefined)
  if (kept === secret) return
  if (kept !== undefined) throw new CommandError(`${dataDir} has the secret of another Alcove. Name another directory.`)
  await writeDurably(dataDir, SECRET, secret)
}
