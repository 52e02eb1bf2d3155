import { FOLDER_NAME_EMPTY, findNameProblem, normalizeName } from '@alcove/contract/names'
import { sql } from 'kysely'
import { commandLine, noteAudit } from '../../modules/audit/index.ts'
import { describeSize } from '../../modules/items/index.ts'
import type { Database } from '../../platform/db/database.ts'
import { isPostgres } from '../../platform/db/portable-sql.ts'
import type { UserRow } from '../../platform/db/tables.ts'
import { actForUser } from '../act-for-user.ts'
import { type Command, CommandError, type Operator } from '../command.ts'
import { UsageError } from '../parse-arguments.ts'
import { Progress } from '../progress.ts'
import { getUser } from '../users.ts'
import { describeCount, TransferReport } from './import-report.ts'
import { importSource, type Missing } from './import-source.ts'
import type { Source } from './source.ts'
import { openTakeout } from './takeout/takeout.ts'
import { openFolder } from './walk-folder.ts'

export const importFiles: Command = {
  name: 'import',
  parameters: ['EMAIL', 'FOLDER…'],
  options: {
    into: {
      value: 'PATH',
      summary: 'A folder of the drive for the files; created if missing. Default: the top of the drive',
    },
    takeout: {
      summary:
        'FOLDER is a Google Takeout: all its .zip or .tgz archives, or the folders into which they were extracted',
    },
    report: { value: 'FILE', summary: 'Write each skipped path and the reason to a file' },
  },
  summary: 'Copy a folder of this machine into the drive of a user',
  details: [
    'What is in the folder is copied with its dates. Files that are there already, with the same size and date, are left',
    'alone, so run the command again after an interruption. Nothing is replaced or deleted. The server may run meanwhile.',
    'The exit code is 1 if anything was skipped.',
    '',
    'With --takeout, photos get the dates of the JSON files beside them, albums become folders, and a photo that is in an',
    'album is left out of the folder of its year.',
    '',
    'alcove import mara@example.com /mnt/photos --into Photos',
    'alcove import mara@example.com takeout-*.zip --takeout --into Google',
  ],
  async run(operator, email = '', ...given) {
    const { services, options } = operator
    await keepCacheSmall(services.db)
    const user = await getUser(services.db, email)
    const into = readPath(options.into ?? '')
    const source = await openSource(given, operator)
    await services.db
      .transaction()
      .execute((tx) => noteAudit(services, tx, commandLine(), { action: 'files.import', target: user.email }))
    const stop = new AbortController()
    const report = new TransferReport(options.report)
    const onInterrupt = () => stop.abort()
    process.once('SIGINT', onInterrupt)
    try {
      const total = await countSource(source, operator, stop.signal)
      const progress = new Progress(
        { what: 'Imported', unit: 'files', items: total.files, bytes: total.bytes },
        operator,
      )
      const ctx = actForUser(services, user)
      const missing = await importSource({ ctx, into, report, progress, signal: stop.signal }, source).finally(() =>
        report.print('Imported', operator.print),
      )
      await assertComplete(services.db, user, { missing, report, isStopped: stop.signal.aborted })
    } finally {
      process.off('SIGINT', onInterrupt)
      report.close()
      await source.close?.()
    }
  },
}

/** Keeps fewer pages of SQLite in this process: the usual 64 MiB fill up with the number of files, and are no faster. */
async function keepCacheSmall(db: Database): Promise<void> {
  if (!isPostgres(db)) await sql`pragma cache_size = -8192`.execute(db)
}

/** Reads a path in the drive, such as `Photos/2024`. */
function readPath(path: string): string[] {
  const names = path
    .split('/')
    .filter((name) => name !== '')
    .map(normalizeName)
  for (const name of names) {
    const problem = findNameProblem(name, FOLDER_NAME_EMPTY)
    if (problem !== undefined) throw new CommandError(`--into: ${problem}`)
  }
  return names
}

async function openSource(given: readonly string[], operator: Operator): Promise<Source> {
  const { services, options } = operator
  const { dataDir } = services.config
  const [folder = '', more] = given
  try {
    if (options.takeout !== undefined) return await openTakeout(given, dataDir, operator)
    if (more !== undefined) throw new UsageError('Only the parts of a Google Takeout (--takeout) can be several.')
    return openFolder(folder, dataDir)
  } catch (error) {
    if (error instanceof CommandError || error instanceof UsageError) throw error
    throw new CommandError(`${given.join(', ')} can't be read: ${(error as Error).message}`)
  }
}

/** Counts what is to be imported, so that the progress shows how much is left. */
async function countSource(
  source: Source,
  operator: Operator,
  signal: AbortSignal,
): Promise<{ files: number; bytes: number }> {
  const total = { files: 0, bytes: 0 }
  const progress = new Progress({ what: 'Found', unit: 'files' }, operator)
  for await (const { files } of source.pages(() => {})) {
    for (const { size } of files) {
      total.files += 1
      total.bytes += size
      progress.add(size)
    }
    if (signal.aborted) break
  }
  return total
}

/** Throws unless everything was imported. */
async function assertComplete(
  db: Database,
  user: UserRow,
  result: { missing: Missing; report: TransferReport; isStopped: boolean },
): Promise<void> {
  const { missing, report, isStopped } = result
  if (isStopped) throw new CommandError('Stopped. Run the same command again to continue.')
  if (missing.error) throw await describeMissing(db, user, missing)
  if (report.skippedCount > 0) {
    throw new CommandError('Some paths were skipped. To import them, fix what is said above and run the command again.')
  }
}

async function describeMissing(db: Database, { id, email }: UserRow, missing: Missing): Promise<CommandError> {
  const lost = `${describeCount(missing)} ${missing.files === 1 ? 'was' : 'were'} not imported`
  if (missing.error?.code === 'item_limit') {
    return new CommandError(`${email} has as many files and folders as the plan allows: ${lost}.`)
  }
  const { allocated_bytes, used_bytes, reserved_bytes } = await db
    .selectFrom('users')
    .select(['allocated_bytes', 'used_bytes', 'reserved_bytes'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const free = allocated_bytes - used_bytes - reserved_bytes
  return new CommandError(
    `The storage of ${email} is full: ${lost}. They need ${describeSize(missing.bytes)}, and ${describeSize(Math.max(free, 0))} is free.`,
  )
}
