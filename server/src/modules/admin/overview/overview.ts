import { statfs } from 'node:fs/promises'
import { calls } from '@alcove/contract/calls'
import type { Services } from '../../../context.ts'
import { formatTime } from '../../../platform/format.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { version } from '../../../platform/version.ts'
import { readLastChecks } from '../checks/kept-results.ts'

const RECENT = 30 * 24 * 3_600_000

const getOverview = endpoint(calls.getOverview, async (ctx) => {
  const { checks, checkedAt } = await readLastChecks(ctx)
  const { bavail, bsize } = await statfs(ctx.config.dataDir)
  return {
    version,
    startedAt: formatTime(Math.round(Date.now() - process.uptime() * 1000)),
    ...(await readUsers(ctx)),
    freeBytes: bavail * bsize,
    problems: checks.filter(({ state }) => state === 'failed' || state === 'warning'),
    checkedAt: checkedAt === undefined ? null : formatTime(checkedAt),
  }
})

async function readUsers({ db, clock }: Services) {
  const since = clock.now() - RECENT
  const { total, active, created, suspended, used } = await db
    .selectFrom('users')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere('last_seen_at', '>=', since).as('active'),
      fn.countAll<number>().filterWhere('created_at', '>=', since).as('created'),
      fn.countAll<number>().filterWhere('suspended_at', 'is not', null).as('suspended'),
      fn.sum<number | string | null>('used_bytes').as('used'),
    ])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { users: { total, active, created, suspended }, usedBytes: Number(used ?? 0) }
}

export const overviewEndpoints = [getOverview]
