import type { WantedPlan } from '@alcove/contract/admin-plans'
import { MAX_PLANS_PER_PERIOD } from '@alcove/contract/limits'
import { billingPeriods, gigabytesOf, type Plan, planNameOf, tierOf } from '@alcove/contract/plans'
import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { type AuditActor, noteAudit } from '../../audit/index.ts'
import { changeSetting } from '../../site/index.ts'
import { byPeriod, catalogueOf, catalogueSetting, nextIdAt, type StoredCatalogue } from './catalogue.ts'
import { describeDifference } from './describe-difference.ts'

type Changing = Pick<Services, 'db' | 'config' | 'clock'>

export interface WantedCatalogue {
  readonly plans: readonly WantedPlan[]
  /** Of the list that was edited. Undefined to replace the list whatever it is. */
  readonly revision: number | undefined
}

/** Replaces the list of plans for sale. Throws 409 if it has changed since `revision`, unless it is already as wanted. */
export async function replacePlans(
  services: Changing,
  actor: AuditActor,
  { plans: wanted, revision }: WantedCatalogue,
): Promise<void> {
  assertCanBeSold(wanted)
  await changeSetting(services, catalogueSetting, async (before, tx) => {
    const { onSale } = catalogueOf(before)
    const { plans, replaced, nextPlanId } = resolve(
      { ...before, nextPlanId: nextIdAt(services.clock.now(), before) },
      wanted,
    )
    if (isSame(plans, onSale)) return before
    if (revision !== undefined && revision !== before.revision) {
      throw new AppError('state_conflict', 'Someone else changed the plans meanwhile. Load them again.')
    }
    const unknown = wanted.find(({ planId }) => planId !== undefined && !onSale.some((one) => one.planId === planId))
    if (unknown)
      throw new AppError('malformed', `Plan ${unknown.planId} is not for sale. Leave planId out of new plans.`)
    const details = describeDifference(onSale, plans, replaced)
    await noteAudit(services, tx, actor, { action: 'plans.changed', details })
    return { plans, former: formerOf(before, plans), nextPlanId, revision: before.revision + 1 }
  })
}

/** Sells the plans of the installation again. */
export async function resetPlans(services: Changing, actor: AuditActor): Promise<void> {
  await changeSetting(services, catalogueSetting, async (before, tx) => {
    if (before.plans === null) return before
    const { onSale } = catalogueOf({ ...before, plans: null })
    const details = describeDifference(before.plans, onSale)
    await noteAudit(services, tx, actor, { action: 'plans.reset', details })
    return { ...before, plans: null, former: formerOf(before, onSale), revision: before.revision + 1 }
  })
}

interface Resolved {
  /** The plans for sale, in order. */
  readonly plans: Plan[]
  /** The ids of new plans, with those that they take the place of. */
  readonly replaced: Map<number, number>
  readonly nextPlanId: number
}

/**
 * Finds the plans that are wanted, and makes those that are new. A plan with the terms of one that is or was for sale is that one again,
 * so that taking a change back, or sending it twice, makes no new plans.
 */
function resolve(before: StoredCatalogue, wanted: readonly WantedPlan[]): Resolved {
  const { onSale, former } = catalogueOf(before)
  const known = [...onSale, ...former]
  const taken = new Set(wanted.flatMap((one) => keptPlan(onSale, one)?.planId ?? []))
  const replaced = new Map<number, number>()
  let { nextPlanId } = before
  const plans = wanted.map((one): Plan => {
    const terms = termsOf(one)
    const same = keptPlan(onSale, one) ?? known.find((plan) => !taken.has(plan.planId) && hasTerms(plan, terms))
    const planId = same?.planId ?? nextPlanId++
    taken.add(planId)
    if (one.planId !== undefined && one.planId !== planId) replaced.set(planId, one.planId)
    const description = one.description !== null && { description: one.description }
    return { planId, ...terms, ...(same && { tier: same.tier }), highlight: one.highlight, ...description }
  })
  return { plans: byPeriod(plans), replaced, nextPlanId }
}

/** Returns the plan for sale that a line of the list keeps as it was sold. */
function keptPlan(onSale: readonly Plan[], wanted: WantedPlan): Plan | undefined {
  return onSale.find((plan) => plan.planId === wanted.planId && hasTerms(plan, termsOf(wanted)))
}

type Terms = Pick<Plan, 'period' | 'name' | 'tier' | 'priceInCents'>

function termsOf({ period, name, gigabytes, price }: WantedPlan): Terms {
  const tier = tierOf(gigabytes)
  const isNamed = name !== null && name !== tier
  return { period, tier, priceInCents: Math.round(price * 100), ...(isNamed && { name }) }
}

function hasTerms(plan: Plan, { period, name, tier, priceInCents }: Terms): boolean {
  return (
    plan.period === period &&
    plan.name === name &&
    gigabytesOf(plan.tier) === gigabytesOf(tier) &&
    plan.priceInCents === priceInCents
  )
}

/** Returns the former plans once others are sold. */
function formerOf(before: StoredCatalogue, onSale: readonly Plan[]): Plan[] {
  const retired = catalogueOf(before).onSale.filter((one) => !before.former.some(({ planId }) => planId === one.planId))
  return [...before.former, ...retired].filter(({ planId }) => !onSale.some((one) => one.planId === planId))
}

function isSame(a: readonly Plan[], b: readonly Plan[]): boolean {
  return JSON.stringify(a.map(comparable)) === JSON.stringify(b.map(comparable))
}

function comparable({ planId, highlight, description }: Plan) {
  return [planId, highlight, description ?? null]
}

/** Throws 400 if customers couldn't tell the plans apart, or if a period has too many. */
function assertCanBeSold(wanted: readonly WantedPlan[]): void {
  const ids = wanted.flatMap(({ planId }) => planId ?? [])
  const repeated = ids.find((id, index) => ids.indexOf(id) < index)
  if (repeated !== undefined) throw new AppError('malformed', `Plan ${repeated} is in the list twice.`)
  for (const period of billingPeriods) {
    const those = wanted.filter((one) => one.period === period)
    if (those.length > MAX_PLANS_PER_PERIOD) {
      throw new AppError('malformed', `There can be at most ${MAX_PLANS_PER_PERIOD} plans per period.`)
    }
    if (those.filter(({ highlight }) => highlight).length > 1) {
      throw new AppError('malformed', `Only one ${period} plan can be highlighted.`)
    }
    const names = those.map((one) => planNameOf(termsOf(one)).normalize('NFC').toLowerCase())
    const twin = names.findIndex((name, index) => names.indexOf(name) < index)
    if (twin < 0) continue
    const name = planNameOf(termsOf(those[twin] as WantedPlan))
    throw new AppError('malformed', `Two plans are called ${name}. Give one of them another name.`)
  }
}
