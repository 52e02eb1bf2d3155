import { existsSync } from 'node:fs'
import { pino } from 'pino'
import { latestMigration, sqlitePath } from '../platform/db/database.ts'
import { withSnapshot } from '../platform/db/database-snapshot.ts'
import { closeServices, createServices } from '../services.ts'
import { keepBlob } from './backups/copy-blobs.ts'
import { readMigration } from './backups/dump-tables.ts'
import { instanceOf } from './backups/manifest.ts'
import { readSecret } from './backups/secret.ts'
import { runChecks } from './checks/run-checks.ts'
import { type Command, CommandError, type Operator } from './command.ts'
import { claimTarget, moveIn } from './moving/move-in.ts'
import { removeMark } from './moving/move-marker.ts'
import { prepareTarget } from './moving/prepare-target.ts'
import { readTarget } from './moving/read-target.ts'
import { openReplica } from './open-replica.ts'

export const migrateTo: Command = {
  name: 'migrate-to',
  parameters: ['TARGET'],
  summary: 'Move everything to another database and store; goes on where it was broken off',
  details: [
    'TARGET is a file of settings as the server takes them, a line NAME=value each: those that are',
    'other at the new place, such as',
    '',
    '  ALCOVE_DATABASE_URL=postgres://alcove:password@db.example.com/alcove',
    '  ALCOVE_S3_ENDPOINT=https://s3.example.com',
    '  ALCOVE_S3_BUCKET=alcove',
    '  ALCOVE_S3_REGION=us-east-1',
    '  ALCOVE_S3_ACCESS_KEY_ID=…',
    '  ALCOVE_S3_SECRET_ACCESS_KEY=…',
    '',
    'All others stay as they are; NAME= takes one away. Database and store are others than now, and empty.',
    'Run it while the server runs: it copies the bytes. Then stop the server and run it once more: it copies',
    'what has come since, and moves the rows. It ends with 0 when all is there and was compared.',
    'Nothing changes at the old place.',
  ],
  leavesTables: true,
  async prepare({ databaseUrl, dataDir }) {
    // Or a new data directory would be made, with a new secret.
    if (databaseUrl === undefined && !existsSync(sqlitePath(dataDir))) {
      throw new CommandError(`There is no Alcove in ${dataDir}.`)
    }
  },
  async run(source, file = '') {
    const target = await readTarget(source, file)
    await assertCurrent(source)
    const secret = await readSecret(source.config)
    const begun = await prepareTarget(source.config, target, secret)
    const { clock } = source.services
    const services = await createServices(target, { clock, log: pino({ level: 'silent' }), leavesTables: true })
    const place: Operator = { ...source, services, config: target }
    try {
      const mark = begun ?? (await claimTarget(place, instanceOf(secret)))
      if (!mark.areRowsThere) await moveIn(source, place, mark)
      await check(source, place, file)
      await removeMark(services.db)
    } finally {
      await closeServices(services)
    }
  },
}

/** Reads everything at the target; what is not right there is copied once more. */
async function check(source: Operator, place: Operator, file: string): Promise<void> {
  place.print(
    `Everything is moved: a server with the settings of ${file} may be started now. All of it is checked there.`,
  )
  const replica = openReplica(place.config, place.services.blobs)
  try {
    const faults = await runChecks(
      place,
      async (blob) => 'sha256' in (await keepBlob(source.services.blobs, replica, blob)),
    )
    if (faults > 0) {
      throw new CommandError(
        `Everything is moved, but something is wrong in ${faults} ${faults === 1 ? 'place' : 'places'}, here as there.`,
      )
    }
    place.print('Everything is whole.')
  } finally {
    await replica.close()
  }
}

/** The rows are moved as they are: tables of an older version have to be brought up to date by their own server. */
async function assertCurrent({ config }: Operator): Promise<void> {
  const migration = await withSnapshot(config, readMigration).catch((error: unknown) => {
    if (isTableMissing(error)) throw new CommandError('There is no Alcove in the database of now.')
    throw error
  })
  if (migration === latestMigration()) return
  throw new CommandError(
    'The tables are not those of this version. Start its server once, or run `user list`: that brings them up to date.',
  )
}

/** PostgreSQL says so by a code, SQLite in words. */
function isTableMissing(error: unknown): boolean {
  return (error as { code?: string }).code === '42P01' || /no such table/.test((error as Error).message)
}
