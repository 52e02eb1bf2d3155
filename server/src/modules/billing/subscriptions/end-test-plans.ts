import type { Services } from '../../../context.ts'
import type { Realm } from '../../../platform/payments/payments.ts'
import { writeSubscriptionState } from './write-subscription-state.ts'

/** Where no money is paid that another realm would take for money. */
const LESSER: Record<Realm, readonly Realm[]> = { sandbox: [], test: ['sandbox'], live: ['sandbox', 'test'] }

/** Once payments are real, plans that were bought while trying are over: nothing was paid for them. */
export async function endTestPlans(services: Services): Promise<void> {
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
