import { type Plan, planNameOf } from '@alcove/contract/plans'

/** More plans than these are counted instead of named. */
const MAX_NAMED = 20

/**
 * Returns what changed in the list of plans, for the audit log. Without details, only the order did. `replaced` has the ids of new plans
 * with those that they take the place of.
 */
export function describeDifference(
  before: readonly Plan[],
  after: readonly Plan[],
  replaced: ReadonlyMap<number, number> = new Map(),
): Record<string, string> {
  const old = new Map(before.map((plan) => [plan.planId, plan]))
  const lists = { added: [] as string[], changed: [] as string[], removed: [] as string[] }
  for (const plan of after) {
    const same = old.get(plan.planId)
    const origin = same ?? old.get(replaced.get(plan.planId) ?? plan.planId)
    if (origin) old.delete(origin.planId)
    if (!origin) lists.added.push(describe(plan))
    else if (!same) lists.changed.push(`${describe(origin)} to ${describe(plan)}`)
    else if (same.highlight !== plan.highlight || same.description !== plan.description) {
      lists.changed.push(describe(plan))
    }
  }
  lists.removed.push(...[...old.values()].map(describe))
  const filled = Object.entries(lists).filter(([, those]) => those.length > 0)
  return Object.fromEntries(filled.map(([how, those]) => [how, listOf(those)]))
}

/** For example `2 TB Annually ($99.99)`. */
function describe(plan: Plan): string {
  const size = plan.name === undefined ? '' : `${plan.tier}, `
  return `${planNameOf(plan)} (${size}$${(plan.priceInCents / 100).toFixed(2)})`
}

function listOf(those: readonly string[]): string {
  const rest = those.length - MAX_NAMED
  return those.slice(0, MAX_NAMED).join(', ') + (rest > 0 ? `, and ${rest} more` : '')
}
