import type { getDashboard as call } from '@alcove/contract/billing'
import type { ResponseOf } from '@alcove/contract/call'
import { GIGABYTE, PAYMENT_GRACE } from '@alcove/contract/limits'
import { findPlan } from '@alcove/contract/plans'
import type { UserContext } from '../../context.ts'
import type { BillingCustomerRow } from '../../platform/db/tables.ts'
import type { Operation } from '../../platform/http/api.ts'
import { formatTime } from '../../platform/iso-time.ts'
import { customerIdOf, findBilling } from './customers.ts'
import { toDollars } from './money.ts'
import { portalUrl } from './portal-url.ts'
import { readBilling } from './read-billing.ts'

type Subscription = ResponseOf<typeof call>['subscription']

/** The subscription as last known, which needs nobody outside; the rest is asked of the card provider, and not for long. */
export const getDashboard: Operation<typeof call> = async (ctx) => {
  const row = await findBilling(ctx.db, ctx.user.id)
  const customerId = customerIdOf(row, ctx.payments)
  const subscription = await presentSubscription(ctx, row)
  if (customerId === undefined || ctx.payments.mode === 'off') {
    return { subscription, billing_history: [], payment_method: null, portal_url: null, providerUnavailable: false }
  }
  const billing = await readBilling(ctx, customerId)
  if (!billing) {
    return { subscription, billing_history: [], payment_method: null, portal_url: null, providerUnavailable: true }
  }
  return { subscription, ...billing, portal_url: portalUrl(ctx), providerUnavailable: false }
}

async function presentSubscription(
  { db, user }: UserContext,
  row: BillingCustomerRow | undefined,
): Promise<Subscription> {
  const { plan_id, plan_name, allocated_bytes } = await db
    .selectFrom('users')
    .select(['plan_id', 'plan_name', 'allocated_bytes'])
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  const plan = findPlan(plan_id)
  // A plan that was given costs nothing, and one that has lapsed is not the user's any more.
  const paid = row && plan && row.plan_id === plan_id ? row : undefined
  const isRenewed = paid?.status === 'active' && paid.ends_at === null
  return {
    plan: plan_name,
    planId: plan_id,
    status: plan_id === 0 ? (row?.status === 'incomplete' ? 'incomplete' : 'free') : (paid?.status ?? 'active'),
    billing_cycle: plan?.period ?? 'N/A',
    storage_limit_gb: allocated_bytes / GIGABYTE,
    price: toDollars(paid?.price_in_cents ?? 0),
    next_billing_date: isRenewed ? toIsoTime(paid.period_end) : null,
    cancelAtPeriodEnd: paid ? paid.ends_at !== null : false,
    endsAt: toIsoTime(paid?.ends_at ?? null),
    graceUntil: paid?.past_due_since ? toIsoTime(paid.past_due_since + PAYMENT_GRACE) : null,
  }
}

function toIsoTime(at: number | null): string | null {
  return at === null ? null : formatTime(at)
}
