import { type AdminPlan, getPlanCatalogue, getPlanSettings, type PlanCatalogue } from '@alcove/contract/admin-plans'
import type { OutputOf } from '@alcove/contract/call'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { plansQuery } from '../../../api/plans-on-sale.ts'
import { adminKeys } from '../queries.ts'

export type PlanSettings = OutputOf<typeof getPlanSettings>

/** Whether there are plans. */
export const planSettingsQuery = queryOptions({
  queryKey: adminKeys.planSettings,
  queryFn: ({ signal }) => send(getPlanSettings, {}, { signal }),
})

/** The plans for sale, and those that only their subscribers still have. */
export const planCatalogueQuery = queryOptions({
  queryKey: adminKeys.planCatalogue,
  queryFn: ({ signal }) => send(getPlanCatalogue, {}, { signal }),
  staleTime: 0,
})

/** A plan that can be given. */
export type PlanChoice = Pick<AdminPlan, 'planId' | 'planName'>

/** Returns plans as options of a field. */
export function optionsOf(plans: readonly PlanChoice[]): { value: string; label: string }[] {
  return plans.map(({ planId, planName }) => ({ value: String(planId), label: planName }))
}

/** Returns the name of a plan that was given earlier and may not be for sale any more. */
export function nameOfGiven(planId: number, { plans, former }: PlanCatalogue): string {
  return [...plans, ...former].find((plan) => plan.planId === planId)?.planName ?? 'A plan that is no longer sold'
}

/** Shows a saved list of plans, and fetches anew what else contains plans. */
export function takeCatalogue(queryClient: QueryClient, catalogue: PlanCatalogue): void {
  queryClient.setQueryData(planCatalogueQuery.queryKey, catalogue)
  for (const { queryKey } of [plansQuery, planSettingsQuery]) void queryClient.invalidateQueries({ queryKey })
  void queryClient.invalidateQueries({ queryKey: adminKeys.auditLog })
}
