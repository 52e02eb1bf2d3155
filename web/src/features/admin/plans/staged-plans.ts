import type { AdminPlan, replacePlans } from '@alcove/contract/admin-plans'
import type { InputOf } from '@alcove/contract/call'
import type { BillingPeriod } from '@alcove/contract/plans'

/** What an administrator decides about a plan. Without a name, it is named after its storage. */
export interface PlanContent {
  readonly name: string | null
  readonly gigabytes: number
  readonly price: number
  /** Null for the usual one of its storage. */
  readonly description: string | null
  readonly highlight: boolean
}

/** A plan on the screen, with changes that aren't saved yet. */
export interface StagedPlan extends PlanContent {
  /** Stays the same while the plan is edited and moved. */
  readonly key: string
  readonly period: BillingPeriod
  /** The plan for sale that it is; undefined for a new one. */
  readonly saved: AdminPlan | undefined
  /** It stays on the screen until that is saved. */
  readonly isRemoved: boolean
}

/** All plans, in the order in which they are sold. */
export type StagedPlans = readonly StagedPlan[]

export function stage(plans: readonly AdminPlan[]): StagedPlans {
  return plans.map((saved) => ({
    key: String(saved.planId),
    saved,
    period: saved.period,
    name: saved.name,
    gigabytes: saved.gigabytes,
    price: saved.price,
    description: saved.ownDescription,
    highlight: saved.highlight,
    isRemoved: false,
  }))
}

/** Returns the plans with another one at the end. */
export function addPlan(staged: StagedPlans, key: string, period: BillingPeriod, content: PlanContent): StagedPlans {
  const added: StagedPlan = { ...content, key, period, saved: undefined, isRemoved: false }
  return withOneHighlight([...staged, added], added)
}

export function editPlan(staged: StagedPlans, key: string, content: PlanContent): StagedPlans {
  const edited = staged.map((plan) => (plan.key === key ? { ...plan, ...content } : plan))
  return withOneHighlight(
    edited,
    edited.find((plan) => plan.key === key),
  )
}

/** Marks a plan as removed, or takes that back. A plan that was never saved is gone at once. */
export function removePlan(staged: StagedPlans, key: string, isRemoved = true): StagedPlans {
  return staged
    .filter((plan) => plan.key !== key || plan.saved !== undefined)
    .map((plan) => (plan.key === key ? { ...plan, isRemoved } : plan))
}

/** Moves a plan by one place among those of its period. */
export function movePlan(staged: StagedPlans, key: string, by: 1 | -1): StagedPlans {
  const moved = staged.find((plan) => plan.key === key)
  const neighbors = staged.filter(({ period }) => period === moved?.period)
  const other = neighbors[neighbors.findIndex((plan) => plan.key === key) + by]
  if (!moved || !other) return staged
  return staged.map((plan) => (plan === moved ? other : plan === other ? moved : plan))
}

/** At most one plan of a period is highlighted: the one that was marked last. */
function withOneHighlight(staged: StagedPlans, marked: StagedPlan | undefined): StagedPlans {
  if (!marked?.highlight) return staged
  return staged.map((plan) =>
    plan.period === marked.period && plan.key !== marked.key ? { ...plan, highlight: false } : plan,
  )
}

/** Returns the list as the server takes it. */
export function inputOf(staged: StagedPlans): InputOf<typeof replacePlans>['plans'] {
  return staged
    .filter(({ isRemoved }) => !isRemoved)
    .map(({ saved, period, name, gigabytes, price, description, highlight }) => ({
      ...(saved && { planId: saved.planId }),
      period,
      name,
      gigabytes,
      price,
      description,
      highlight,
    }))
}

/** Returns whether saving would change what is for sale. */
export function isChanged(staged: StagedPlans, plans: readonly AdminPlan[]): boolean {
  return JSON.stringify(inputOf(staged)) !== JSON.stringify(inputOf(stage(plans)))
}

/** Returns whether a plan is sold as another one from now on, so that those who have it keep the old one. */
export function isReplaced({ saved, ...plan }: Pick<StagedPlan, 'saved' | 'name' | 'gigabytes' | 'price'>): boolean {
  if (!saved) return false
  return plan.name !== saved.name || plan.gigabytes !== saved.gigabytes || plan.price !== saved.price
}
