import { calls } from '@alcove/contract/calls'
import type { Services, UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { formatTime } from '../../../platform/format.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { actorOf, noteAudit } from '../../audit/index.ts'
import { changeSetting, readSetting } from '../../site/index.ts'
import { auditActionOf, type BackupRun, findLastDone, isDone, isGoingOn } from './backup-runs.ts'
import { backupSchedule } from './backup-schedule.ts'
import { startRun } from './start-run.ts'

const SHOWN = 20

const getBackups = endpoint(calls.getBackups, async (ctx) => {
  const { db, clock, config } = ctx
  const now = clock.now()
  const runs = await db.selectFrom('backup_runs').selectAll().orderBy('began_at', 'desc').limit(SHOWN).execute()
  const [lastBackup, lastVerification] = await Promise.all([
    findLastDone(db, 'backup'),
    findLastDone(db, 'verification'),
  ])
  return {
    folder: config.backupDir ?? null,
    every: await readSetting(ctx, backupSchedule),
    lastBackup: lastBackup ? present(lastBackup, now) : null,
    lastVerification: lastVerification ? present(lastVerification, now) : null,
    runs: runs.map((run) => present(run, now)),
  }
})

function present(run: BackupRun, now: number) {
  const isRunning = isGoingOn(run, now)
  return {
    id: run.id,
    kind: run.kind,
    state: isRunning ? ('running' as const) : isDone(run) ? ('done' as const) : ('failed' as const),
    folder: run.folder,
    server: run.server,
    beganAt: formatTime(run.began_at),
    endedAt: run.ended_at === null ? null : formatTime(run.ended_at),
    error: run.ended_at === null && !isRunning ? 'It was interrupted.' : run.error,
    doneBytes: run.done_bytes,
    totalBytes: run.total_bytes,
    blobs: run.blobs,
    copiedBytes: run.copied_bytes,
    madeAt: run.made_at === null ? null : formatTime(run.made_at),
  }
}

const startBackup = endpoint(calls.startBackup, async (ctx) => {
  await start(ctx, 'backup')
  return { message: 'The backup has started.' }
})

const startVerification = endpoint(calls.startVerification, async (ctx) => {
  await start(ctx, 'verification')
  return { message: 'The verification has started.' }
})

async function start(ctx: UserContext, kind: BackupRun['kind']): Promise<void> {
  await assertNoneRuns(ctx, kind)
  await startRun(ctx, kind)
  await ctx.db.transaction().execute((tx) =>
    noteAudit(ctx, tx, actorOf(ctx), {
      action: auditActionOf[kind],
      ...(ctx.config.backupDir !== undefined && { target: ctx.config.backupDir }),
    }),
  )
}

/** Tells the administrator at once. Of two that begin at the same time, the database refuses the second, and it is shown as failed. */
async function assertNoneRuns({ db, clock }: Services, kind: BackupRun['kind']): Promise<void> {
  const open = await db
    .selectFrom('backup_runs')
    .selectAll()
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (open && isGoingOn(open, clock.now())) {
    throw new AppError('state_conflict', kind === 'backup' ? 'A backup is running.' : 'A verification is running.')
  }
}

const scheduleBackups = endpoint(calls.scheduleBackups, async (ctx, { every }) => {
  await changeSetting(ctx, backupSchedule, async (before, tx) => {
    if (before !== every) {
      await noteAudit(ctx, tx, actorOf(ctx), { action: 'backup.schedule', details: { before, after: every } })
    }
    return every
  })
  return {
    message:
      every === 'never' ? 'The server makes no backups by itself now.' : `The server makes a ${every} backup now.`,
  }
})

export const backupEndpoints = [getBackups, startBackup, startVerification, scheduleBackups]
