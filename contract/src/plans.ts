import { DEFAULT_ALLOCATION } from './limits.ts'

/** The plan of everyone who has not bought one. */
export const FREE_PLAN = { planId: 0, planName: 'free', allocation: DEFAULT_ALLOCATION } as const

export function isPaidPlan(planName: string): boolean {
  return planName !== FREE_PLAN.planName
}
