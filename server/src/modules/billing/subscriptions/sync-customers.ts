import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { BillingCustomerRow } from '../../../platform/db/tables.ts'
import type { Realm } from '../../../platform/payments/payments.ts'
import { syncSubscription } from './sync-subscription.ts'
import { writeSubscriptionState } from './write-subscription-state.ts'

/** Each customer takes several requests, and Stripe accepts a hundred per second. */
const TOGETHER = 2
const PAGE = 200

/** Syncs every customer with Stripe. Run daily, it makes up for missed webhooks. */
export async function syncCustomers(services: Services, signal: AbortSignal): Promise<void> {
  if (services.payments.mode === 'off') return
  await endTestPlans(services)
  for (let after = ''; ; ) {
    const page = await listCustomers(services, after)
    const last = page.at(-1)
    if (!last) return
    await syncAll(services, page, signal)
    after = last.user_id
  }
}

function listCustomers({ db, payments }: Services, after: string) {
  return db
    .selectFrom('billing_customers')
    .select(['user_id', 'customer_id'])
    .where('user_id', '>', after)
    .where('realm', '=', payments.realm)
    .where('customer_id', 'is not', null)
    .orderBy('user_id')
    .limit(PAGE)
    .execute()
}

/** Syncs a few customers at a time. One failure doesn't stop the others, but an unreachable Stripe ends the run. */
async function syncAll(
  services: Services,
  customers: Pick<BillingCustomerRow, 'customer_id'>[],
  signal: AbortSignal,
): Promise<void> {
  const waiting = customers.values()
  async function work(): Promise<void> {
    for (const { customer_id } of waiting) {
      if (signal.aborted) return
      try {
        await syncSubscription(services, customer_id as string)
      } catch (error) {
        if (error instanceof AppError && error.code === 'payments_unavailable') throw error
        services.log.error({ err: error, customer: customer_id }, 'a customer could not be synchronized')
      }
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, work))
}

/** Realms without real money. */
const LESSER: Record<Realm, readonly Realm[]> = { sandbox: [], test: ['sandbox'], live: ['sandbox', 'test'] }

/** Ends test plans once real payments are configured, because nothing was paid for them. */
async function endTestPlans(services: Services): Promise<void> {
  const { db, payments } = services
  const lesser = LESSER[payments.realm]
  if (payments.mode === 'off' || lesser.length === 0) return
  const tried = await db
    .updateTable('billing_customers')
    .set((eb) => ({ sync_version: eb('sync_version', '+', 1) }))
    .where('realm', 'in', lesser)
    .where('customer_id', 'is not', null)
    .returning(['user_id', 'customer_id', 'sync_version'])
    .execute()
  for (const { user_id, customer_id, sync_version } of tried) {
    const question = { userId: user_id, customerId: customer_id as string, version: sync_version }
    await writeSubscriptionState(services, question, undefined)
  }
}
