import { type Plan, planNameOf } from '@alcove/contract/plans'
import type { Services } from '../../../context.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { BillingCustomerRow, UserRow } from '../../../platform/db/tables.ts'
import { queueBillingMails } from '../billing-mails.ts'
import { findPlan, planOf } from '../catalogue/catalogue.ts'
import { findBilling } from '../customers.ts'
import { type CurrentPlan, currentPlan } from './current-plan.ts'
import type { SubscriptionState } from './subscription-state.ts'
import { quotaOf, userColumnsOf } from './user-columns.ts'

interface Question {
  userId: string
  customerId: string
  version: number
}

/** Writes Stripe's state in one transaction: plan, quota, the account screen's data and the mails about it. */
export async function writeSubscriptionState(
  services: Services,
  question: Question,
  subscriptionState: SubscriptionState | undefined,
): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, question.userId)
    const row = user && (await findUnhandled(tx, question))
    if (!user || !row) return
    const granted = await findPlan({ ...services, db: tx }, row.granted_plan_id ?? 0)
    const current = currentPlan(subscriptionState, granted, services.clock.now())
    await writeBilling(tx, question, subscriptionState, current)
    const columns = await userColumnsOf(services, tx, current.plan, current.isBought)
    await tx.updateTable('users').set(columns).where('id', '=', user.id).execute()
    await queueBillingMails(services, tx, { user, row, subscriptionState, current })
  })
}

/** Locks the user's row, so that plan changes run one after the other. */
export function lockUser(tx: Tx, userId: string): Promise<UserRow | undefined> {
  return tx
    .updateTable('users')
    .set((eb) => ({ plan_id: eb.ref('plan_id') }))
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirst()
}

/** Returns the row unless the result of a later request has been written. */
function findUnhandled(tx: Tx, { userId, customerId, version }: Question): Promise<BillingCustomerRow | undefined> {
  return tx
    .selectFrom('billing_customers')
    .selectAll()
    .where('user_id', '=', userId)
    .where('customer_id', '=', customerId)
    .where('synced_version', '<', version)
    .executeTakeFirst()
}

async function writeBilling(
  tx: Tx,
  { userId, version }: Question,
  subscriptionState: SubscriptionState | undefined,
  { status, subscription, owned }: CurrentPlan,
): Promise<void> {
  const paid = status === 'lifetime' ? owned : (subscription ?? owned)
  await tx
    .updateTable('billing_customers')
    .set({
      synced_version: version,
      // The customer was deleted at Stripe, so the next purchase creates another.
      ...(subscriptionState ? {} : { customer_id: null, checkout_id: null }),
      status,
      subscription_id: subscription?.id ?? null,
      plan_id: paid?.plan.planId ?? 0,
      price_in_cents: paid?.priceInCents ?? 0,
      currency: paid?.currency ?? 'usd',
      period_end: subscription?.periodEnd ?? null,
      ends_at: subscription?.endsAt ?? null,
      past_due_since: subscription?.unpaidSince ?? null,
      lifetime_plan_id: owned?.plan.planId ?? null,
    })
    .where('user_id', '=', userId)
    .execute()
}

/**
 * Grants a user a plan without payment, or revokes it. A paid plan is kept, and its name is returned, so that nobody's
 * paid plan changes unnoticed.
 */
export async function setGrantedPlan(
  services: Pick<Services, 'config' | 'payments'>,
  tx: Tx,
  userId: string,
  plan: Plan | undefined,
): Promise<string | undefined> {
  if (!(await lockUser(tx, userId))) return undefined
  const row = await findBilling(tx, userId)
  if (row && isPaid(row)) return planNameOf(await planOf({ ...services, db: tx }, String(row.plan_id)))
  await grantPlan(services, tx, userId, plan)
  return undefined
}

function isPaid({ plan_id, subscription_id, lifetime_plan_id }: BillingCustomerRow): boolean {
  return plan_id !== 0 && (subscription_id !== null || lifetime_plan_id !== null)
}

/** Returns whether a user pays for the plan. */
export async function hasPaidPlan(db: Database, userId: string): Promise<boolean> {
  const row = await findBilling(db, userId)
  return row !== undefined && isPaid(row)
}

/** Gives a user a quota in place of the plan's, or with null the plan's again. The user's row must be locked. */
export async function setOwnQuota(
  services: Pick<Services, 'config'>,
  tx: Tx,
  { id, plan_id }: Pick<UserRow, 'id' | 'plan_id'>,
  quota: number | null,
): Promise<void> {
  const plan = await findPlan({ ...services, db: tx }, plan_id)
  const columns = { own_quota: quota, allocated_bytes: quota ?? (await quotaOf(services, tx, plan)) }
  await tx.updateTable('users').set(columns).where('id', '=', id).execute()
}

/** Gives a user who pays for nothing a plan, or takes it away. */
export async function grantPlan(
  services: Pick<Services, 'config' | 'payments'>,
  tx: Tx,
  userId: string,
  plan: Plan | undefined,
): Promise<void> {
  await noteGrantedPlan(services, tx, userId, plan)
  const columns = await userColumnsOf(services, tx, plan)
  await tx.updateTable('users').set(columns).where('id', '=', userId).execute()
}

/** Notes that a user has a plan without payment, or none any more. */
export async function noteGrantedPlan(
  { payments }: Pick<Services, 'payments'>,
  tx: Tx,
  userId: string,
  plan: Plan | undefined,
): Promise<void> {
  const granted = { granted_plan_id: plan?.planId ?? null }
  await tx
    .insertInto('billing_customers')
    .values({ user_id: userId, realm: payments.realm, ...granted })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(granted))
    .execute()
}
