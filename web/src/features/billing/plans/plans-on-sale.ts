import type { listPlans } from '@alcove/contract/billing'
import type { OutputOf } from '@alcove/contract/call'
import { type BillingPeriod, billingPeriods, FREE_PLAN } from '@alcove/contract/plans'

export type PlansOnSale = OutputOf<typeof listPlans>
export type PlanOnSale = PlansOnSale[BillingPeriod][number]

/** Returns the paid plans of a billing period, the smallest first. */
export function plansToShow(plans: PlansOnSale, period: BillingPeriod): readonly PlanOnSale[] {
  return plans[period]
    .filter(({ planId }) => planId !== FREE_PLAN.planId)
    .toSorted((one, other) => gigabytesIn(one.tier) - gigabytesIn(other.tier))
}

/** Returns the size of a tier in gigabytes, with 1 TB = 1024 GB; infinity for an unknown format, which sorts last. */
export function gigabytesIn(tier: string): number {
  const [, value, unit] = /^([\d.]+) ?(GB|TB)$/i.exec(tier) ?? []
  if (!value) return Number.POSITIVE_INFINITY
  return Number(value) * (unit?.toUpperCase() === 'TB' ? 1024 : 1)
}

export type PlanOfPeriod = PlanOnSale & { readonly period: BillingPeriod }

/** Returns a plan with its billing period, or undefined if it is not for sale. */
export function findOnSale(plans: PlansOnSale | undefined, planId: number | undefined): PlanOfPeriod | undefined {
  for (const period of billingPeriods) {
    const plan = plans?.[period].find((candidate) => candidate.planId === planId)
    if (plan) return { ...plan, period }
  }
  return undefined
}
