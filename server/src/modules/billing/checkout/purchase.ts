import type { Plan } from '@alcove/contract/plans'

/** What somebody wants to buy. */
export interface Purchase {
  readonly plan: Plan
  /** One decision of the client to buy. */
  readonly attemptId: string | undefined
  readonly customerId: string
}
