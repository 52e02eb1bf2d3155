import { calls } from '@alcove/contract/calls'
import { notFound } from '../../../errors.ts'
import type { Database } from '../../../platform/db/database.ts'
import { formatTime } from '../../../platform/format.ts'
import { endpoint } from '../../../platform/http/api.ts'
import {
  discardJob as discard,
  retryJob as retry,
  retryFailedJobs as retryAll,
} from '../../../platform/jobs/failed-jobs.ts'
import { actorOf, noteAudit } from '../../audit/index.ts'

const MAX_JOBS = 100

const getJobs = endpoint(calls.getJobs, async ({ db, clock, schedule }) => {
  const now = clock.now()
  // Other servers save theirs every minute.
  await schedule.save()
  return { counts: await countJobs(db, now), jobs: await listJobs(db, now), schedule: await listRuns(db) }
})

/** A job whose server has died keeps its beginning, but its claim has expired, so it waits for another server. */
async function countJobs(db: Database, now: number) {
  const { all, failed, running, tried } = await db
    .selectFrom('jobs')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('failed_at', 'is not', null).as('failed'),
      fn.countAll<number>().filterWhere('began_at', 'is not', null).filterWhere('run_at', '>', now).as('running'),
      fn
        .countAll<number>()
        .filterWhere('began_at', 'is', null)
        .filterWhere('failed_at', 'is', null)
        .filterWhere('attempts', '>', 0)
        .as('tried'),
    ])
    .executeTakeFirstOrThrow()
  return { waiting: all - failed - running - tried, running, retrying: tried, failed }
}

async function listJobs(db: Database, now: number) {
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'kind', 'attempts', 'run_at', 'began_at', 'failed_at', 'last_error'])
    .where((eb) => eb.or([eb('attempts', '>', 0), eb('failed_at', 'is not', null)]))
    // Those that were given up first, the latest of them at the top; then those that are tried again soonest.
    .orderBy((eb) => eb.case().when('failed_at', 'is', null).then(1).else(0).end())
    .orderBy('failed_at', 'desc')
    .orderBy('run_at')
    .orderBy('id')
    .limit(MAX_JOBS)
    .execute()
  return rows.map(({ id, kind, attempts, run_at, began_at, failed_at, last_error }) => {
    const isRunning = began_at !== null && run_at > now
    const state = failed_at !== null ? 'failed' : isRunning ? 'running' : 'retrying'
    const at = failed_at ?? (isRunning ? began_at : run_at)
    return { id, kind, state, attempts, at: formatTime(at), error: last_error } as const
  })
}

async function listRuns(db: Database) {
  const rows = await db.selectFrom('scheduled_runs').selectAll().orderBy('name').orderBy('server').execute()
  return rows.map(({ name, server, every, began_at, ended_at, error, error_at }) => ({
    name,
    server,
    every: every / 1000,
    beganAt: formatTime(began_at),
    endedAt: ended_at === null ? null : formatTime(ended_at),
    error,
    errorAt: error_at === null ? null : formatTime(error_at),
  }))
}

const retryJob = endpoint(calls.retryJob, async (ctx, { id }) => {
  await ctx.db.transaction().execute(async (tx) => {
    const kind = await retry(ctx, tx, id)
    if (kind === undefined) throw notFound('job')
    await noteAudit(ctx, tx, actorOf(ctx), { action: 'job.retry', target: kind })
  })
  ctx.jobs.wake()
  return { message: 'The job is tried again now.' }
})

const retryFailedJobs = endpoint(calls.retryFailedJobs, async (ctx) => {
  const count = await ctx.db.transaction().execute(async (tx) => {
    const retried = await retryAll(ctx, tx)
    if (retried > 0) await noteAudit(ctx, tx, actorOf(ctx), { action: 'job.retry-all', details: { jobs: retried } })
    return retried
  })
  ctx.jobs.wake()
  return { message: count === 1 ? 'One job is tried again now.' : `${count} jobs are tried again now.` }
})

const discardJob = endpoint(calls.discardJob, async (ctx, { id }) => {
  await ctx.db.transaction().execute(async (tx) => {
    const kind = await discard(tx, id)
    if (kind === undefined) throw notFound('job')
    await noteAudit(ctx, tx, actorOf(ctx), { action: 'job.discard', target: kind })
  })
  return { message: 'The job was deleted.' }
})

export const jobEndpoints = [getJobs, retryJob, retryFailedJobs, discardJob]
