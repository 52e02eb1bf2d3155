import type { Tx } from '../db/database.ts'
import type { JobQueue } from '../jobs/job-queue.ts'

/** The kind of job that deletes a customer at the card provider; its payload is `{ customerId }`. */
export const END_CUSTOMER = 'end customer'

/** In the transaction that deletes a user, before that: what is paid for ends too, however long the provider is away. */
export async function queueEndOfCustomer({ jobs }: { jobs: JobQueue }, tx: Tx, userId: string): Promise<void> {
  const row = await tx
    .selectFrom('billing_customers')
    .select('customer_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row?.customer_id) await jobs.enqueue(tx, END_CUSTOMER, { customerId: row.customer_id })
}
