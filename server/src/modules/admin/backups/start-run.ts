import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { type BackupRun, noteFailedStart } from './backup-runs.ts'

const COMMAND_LINE = join(import.meta.dirname, '../../../cli.ts')
const COMMANDS: Readonly<Record<BackupRun['kind'], string>> = { backup: 'backup', verification: 'verify-backup' }
/** Below everything that somebody waits for. */
const LOW_PRIORITY = 10
/** The most that is kept of what it prints. */
const MAX_PRINTED = 4096

/**
 * Starts `alcove backup` or `alcove verify-backup` as a process of its own, which has the server's settings and reports its progress
 * through the database. So a backup doesn't slow down the server, and both ways of making one do the same.
 */
export async function startRun(services: Services, kind: BackupRun['kind']): Promise<void> {
  const { config, log } = services
  const folder = config.backupDir
  if (folder === undefined) {
    throw new AppError('state_conflict', 'Set ALCOVE_BACKUP_DIR to a folder for backups, and restart the server.')
  }
  const child = spawn(process.execPath, [COMMAND_LINE, COMMANDS[kind], '--by-server', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // If the server ends, so does the backup. The one before it stays complete.
  const kill = () => child.kill('SIGTERM')
  process.once('exit', kill)
  let printed = ''
  child.stderr.on('data', (text: Buffer) => {
    printed = (printed + text.toString()).slice(-MAX_PRINTED)
  })
  if (child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY)
  const begunAt = services.clock.now()
  const end = async (code: number | null) => {
    process.off('exit', kill)
    if (code === 0) return
    const error = printed.trim().split('\n').at(-1) || 'The command could not be started.'
    log.error({ kind, folder, error }, 'a backup that an administrator started has failed')
    if (!(await wasRecorded(services, kind, begunAt))) await noteFailedStart(services, { kind, folder, error })
  }
  const endSafely = (code: number | null) =>
    void end(code).catch((error: unknown) => log.error({ err: error }, 'a failed backup could not be recorded'))
  child.once('error', () => endSafely(null))
  child.once('close', endSafely)
}

async function wasRecorded({ db }: Services, kind: BackupRun['kind'], since: number): Promise<boolean> {
  const run = await db
    .selectFrom('backup_runs')
    .select('id')
    .where('kind', '=', kind)
    .where('began_at', '>=', since)
    .limit(1)
    .executeTakeFirst()
  return run !== undefined
}
