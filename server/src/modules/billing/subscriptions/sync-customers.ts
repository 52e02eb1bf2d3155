import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { BillingCustomerRow } from '../../../platform/db/tables.ts'
import { endTestPlans } from './end-test-plans.ts'
import { syncSubscription } from './sync-subscription.ts'

/** Each is asked about with several questions at once, and Stripe takes a hundred in a second. */
const TOGETHER = 2
const PAGE = 200

/** Brings every customer up to date: what no webhook has told of is made good once a day. */
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

/** A few at once. One that fails does not keep the others; that nobody answers ends the round. */
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
        services.log.error({ err: error, customer: customer_id }, 'a customer could not be brought up to date')
      }
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, work))
}
