import { DEFAULT_ALLOCATION, GIGABYTE } from '@alcove/contract/limits'
import { isPaidPlan } from '@alcove/contract/plans'

/** What stands below the user's address: the plan, and for the free one what it has. */
export function planLine(planName: string): string {
  return isPaidPlan(planName) ? planName : `Free plan · ${DEFAULT_ALLOCATION / GIGABYTE} GB`
}
