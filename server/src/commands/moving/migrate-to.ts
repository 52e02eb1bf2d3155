import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { type Config, ConfigError } from '../../config.ts'
import { openReplica } from '../../platform/blobs/blob-replica.ts'
import { latestMigration, sqlitePath } from '../../platform/db/database.ts'
import { withSnapshot } from '../../platform/db/database-snapshot.ts'
import { closeServices, createServices } from '../../services.ts'
import { parseSettingsFile } from '../../settings/parse-settings-file.ts'
import { keepBlob } from '../backups/copy-blobs.ts'
import { instanceOf, readSecret } from '../backups/manifest.ts'
import { readMigration } from '../backups/table-files.ts'
import { type Command, CommandError, type Operator } from '../command.ts'
import { runChecks } from '../verify.ts'
import { claimTarget, moveIn } from './move-in.ts'
import { describeStore, removeMoveMarker } from './move-marker.ts'
import { prepareTarget } from './prepare-target.ts'

export const migrateTo: Command = {
  name: 'migrate-to',
  parameters: ['TARGET'],
  summary: 'Move everything to another database and store; continues an interrupted move',
  details: [
    'TARGET is a file with the settings that differ at the new place, one NAME=value per line, for example',
    '',
    '  ALCOVE_DATABASE_URL=postgres://alcove:password@db.example.com/alcove',
    '  ALCOVE_S3_ENDPOINT=https://s3.example.com',
    '  ALCOVE_S3_BUCKET=alcove',
    '  ALCOVE_S3_REGION=us-east-1',
    '  ALCOVE_S3_ACCESS_KEY_ID=…',
    '  ALCOVE_S3_SECRET_ACCESS_KEY=…',
    '',
    'Other settings stay as they are; NAME= unsets one. Database and store must be new and empty.',
    'Run it first while the server runs: it copies the bytes. Then stop the server and run it again: it copies',
    'the new bytes and moves the rows. It exits with 0 when everything is there and verified.',
    'Nothing changes at the old place.',
  ],
  leavesTables: true,
  async prepare({ databaseUrl, dataDir }) {
    // Otherwise the command would create a new data directory with a new secret.
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
      await removeMoveMarker(services.db)
    } finally {
      await closeServices(services)
    }
  },
}

/** Reads everything at the target and copies damaged blobs once more. */
async function check(source: Operator, place: Operator, file: string): Promise<void> {
  place.print(`Moved everything. You can start a server with the settings of ${file} now. Checking the target.`)
  const replica = openReplica(place.config, place.services.blobs)
  try {
    const faults = await runChecks(
      place,
      async (blob) => 'sha256' in (await keepBlob(source.services.blobs, replica, blob)),
    )
    if (faults > 0) {
      throw new CommandError(
        `Moved everything, but found ${faults} ${faults === 1 ? 'fault' : 'faults'}, here and at the target.`,
      )
    }
    place.print('No faults found.')
  } finally {
    await replica.close()
  }
}

/** Rows are moved as they are, so their own server must migrate tables of an older version first. */
async function assertCurrent({ config }: Operator): Promise<void> {
  const migration = await withSnapshot(config, readMigration).catch((error: unknown) => {
    if (isTableMissing(error)) throw new CommandError('There is no Alcove in the current database.')
    throw error
  })
  if (migration === latestMigration()) return
  throw new CommandError(
    'The tables belong to an older version. Start the server once, or run `user list`, to migrate them.',
  )
}

/** PostgreSQL has a code for this, SQLite only a message. */
function isTableMissing(error: unknown): boolean {
  return (error as { code?: string }).code === '42P01' || /no such table/.test((error as Error).message)
}

/** Reads the target's settings: the current ones, changed by a file of lines `NAME=value`. */
async function readTarget({ config, settingsWith, tell }: Operator, file: string): Promise<Config> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} can't be read (${error.code}). TARGET is a file of settings, see --help.`)
  })
  const { settings, warnings } = parseSettingsFile(text, file)
  for (const warning of warnings) tell(warning)
  const changes = Object.fromEntries([...settings].map(([name, { value }]) => [name, value]))
  const target = readSettings(file, () => settingsWith(changes))
  const isSameFolder = target.dataDir === config.dataDir
  if (target.databaseUrl === config.databaseUrl && (target.databaseUrl !== undefined || isSameFolder)) {
    throw new CommandError(`${file} names the current database. ${APART}`)
  }
  if (describeStore(target) === describeStore(config)) {
    throw new CommandError(`${file} names the current store. ${APART}`)
  }
  return target
}

const APART = 'Database and store must both be new. To keep one of them in a data directory, set a new ALCOVE_DATA_DIR.'

function readSettings(file: string, read: () => Config): Config {
  try {
    return read()
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(`${file}: ${error.message}`)
    throw error
  }
}
