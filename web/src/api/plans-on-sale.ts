import { listPlans } from '@alcove/contract/billing'
import type { OutputOf } from '@alcove/contract/call'
import { GIGABYTE } from '@alcove/contract/limits'
import { type BillingPeriod, billingPeriods, FREE_PLAN } from '@alcove/contract/plans'
import { queryOptions } from '@tanstack/react-query'
import { send } from './api.ts'
import { queryKeys } from './query-keys.ts'

export type PlansOnSale = OutputOf<typeof listPlans>
export type PlanOnSale = PlansOnSale[BillingPeriod][number]
export type PlanOfPeriod = PlanOnSale & { readonly period: BillingPeriod }

/** Plans change only when an administrator edits them. In milliseconds. */
const RARELY_CHANGED = 10 * 60_000

export const plansQuery = queryOptions({
  queryKey: queryKeys.plans,
  queryFn: ({ signal }) => send(listPlans, {}, { signal }),
  staleTime: RARELY_CHANGED,
})

/** Returns the paid plans of a billing period, in the order of the server. */
export function plansToShow(plans: PlansOnSale, period: BillingPeriod): readonly PlanOnSale[] {
  return plans[period].filter(({ planId }) => planId !== FREE_PLAN.planId)
}

/** Returns a plan with its billing period, or undefined if it is not for sale. */
export function findOnSale(plans: PlansOnSale | undefined, planId: number | undefined): PlanOfPeriod | undefined {
  for (const period of billingPeriods) {
    const plan = plans?.[period].find((candidate) => candidate.planId === planId)
    if (plan) return { ...plan, period }
  }
  return undefined
}

/** Returns the size of a tier in bytes, with 1 TB = 1024 GB; infinity for an unknown format. */
export function bytesOf({ tier }: Pick<PlanOnSale, 'tier'>): number {
  const [, value, unit] = /^([\d.]+) ?(GB|TB)$/i.exec(tier) ?? []
  if (!value) return Number.POSITIVE_INFINITY
  return Number(value) * (unit?.toUpperCase() === 'TB' ? 1024 : 1) * GIGABYTE
}

/** Returns the storage limit of the largest plan for sale, in bytes; 0 if there is none. */
export function largestOnSale(plans: PlansOnSale): number {
  return Math.max(0, ...billingPeriods.flatMap((period) => plansToShow(plans, period)).map(bytesOf))
}
