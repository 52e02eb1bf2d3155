import type { CheckResult } from '@alcove/contract/admin-checks'
import type { Services } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import { checkEverything, checkQuickly } from './all-checks.ts'

/** How long results are shown before the checks run again, in milliseconds. */
const KEPT_FOR = 3_600_000

export interface Results {
  readonly checks: CheckResult[]
  readonly checkedAt: number
}

/** The last results of this process, and the checks that are running. */
const kept = new WeakMap<Database, { running?: Promise<Results>; last?: Results }>()

function stateOf(db: Database) {
  const state = kept.get(db) ?? {}
  kept.set(db, state)
  return state
}

/** Runs all checks, or waits for those that are running. */
export function runChecksNow(services: Services): Promise<Results> {
  const state = stateOf(services.db)
  state.running ??= checkEverything(services)
    .then((checks) => (state.last = { checks, checkedAt: services.clock.now() }))
    .finally(() => delete state.running)
  return state.running
}

/** Returns the results of the last hour, or runs all checks. Those that take no time are always up to date. */
export async function readChecks(services: Services): Promise<Results> {
  const { last } = stateOf(services.db)
  const isFresh = last !== undefined && Math.abs(services.clock.now() - last.checkedAt) < KEPT_FOR
  return isFresh ? refresh(services, last) : runChecksNow(services)
}

/** Returns the last results without running checks that take long. Without any, there are only those that take no time. */
export async function readLastChecks(services: Services): Promise<{ checks: CheckResult[]; checkedAt?: number }> {
  const { last } = stateOf(services.db)
  return last ? refresh(services, last) : { checks: await checkQuickly(services) }
}

async function refresh(services: Services, { checks, checkedAt }: Results): Promise<Results> {
  const fresh = new Map((await checkQuickly(services)).map((result) => [result.id, result]))
  return { checks: checks.map((result) => fresh.get(result.id) ?? result), checkedAt }
}
