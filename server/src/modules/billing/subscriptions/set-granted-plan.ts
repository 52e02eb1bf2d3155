import { type Plan, planNameOf } from '@alcove/contract/plans'
import type { Services } from '../../../context.ts'
import { findBilling } from '../customers.ts'
import { planOf } from '../prices.ts'
import { userColumnsOf } from './current-plan.ts'
import { lockUser } from './write-subscription-state.ts'

/**
 * Grants a user a plan that nobody pays for, or revokes it. Who pays for one keeps that, and the response is its name: what
 * somebody pays for is not changed behind their back.
 */
export function setGrantedPlan(
  services: Services,
  userId: string,
  plan: Plan | undefined,
): Promise<string | undefined> {
  const { db, payments } = services
  return db.transaction().execute(async (tx) => {
    if (!(await lockUser(tx, userId))) return undefined
    const row = await findBilling(tx, userId)
    const isPaid = row && row.plan_id !== 0 && (row.subscription_id !== null || row.lifetime_plan_id !== null)
    if (isPaid) return planNameOf(planOf(String(row.plan_id)))
    const granted = { granted_plan_id: plan?.planId ?? null }
    await tx
      .insertInto('billing_customers')
      .values({ user_id: userId, realm: payments.realm, ...granted })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(granted))
      .execute()
    await tx.updateTable('users').set(userColumnsOf(plan)).where('id', '=', userId).execute()
    return undefined
  })
}
