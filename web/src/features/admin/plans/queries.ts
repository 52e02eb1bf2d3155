import { getPlanSettings } from '@alcove/contract/admin-plans'
import type { OutputOf } from '@alcove/contract/call'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { adminKeys } from '../queries.ts'

export type PlanSettings = OutputOf<typeof getPlanSettings>

export const planSettingsQuery = queryOptions({
  queryKey: adminKeys.planSettings,
  queryFn: ({ signal }) => send(getPlanSettings, {}, { signal }),
})
