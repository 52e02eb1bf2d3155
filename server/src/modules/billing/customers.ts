import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Services, UserContext } from '../../context.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import type { BillingCustomerRow } from '../../platform/db/tables.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import type { Payments } from '../../platform/payments/payments.ts'
import { isMissing } from '../../platform/payments/stripe.ts'

export function findBilling(db: Database, userId: string): Promise<BillingCustomerRow | undefined> {
  return db.selectFrom('billing_customers').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** Returns the id by which the card provider in use knows a user. Ids of the sandbox mean nothing to Stripe. */
export function customerIdOf(row: BillingCustomerRow | undefined, payments: Payments): string | undefined {
  return row?.realm === payments.realm ? (row.customer_id ?? undefined) : undefined
}

/**
 * Returns the customer of a user, and creates it when first needed. Concurrent requests use the same idempotency key,
 * so they all get one customer, and the first one writes the row.
 */
export async function ensureCustomer({ db, payments, user }: UserContext): Promise<string> {
  const row = await findBilling(db, user.id)
  const known = customerIdOf(row, payments)
  if (known) return known
  const number = (row?.customer_number ?? 0) + 1
  const idempotencyKey = `customer-${user.id}-${number}-${shortHash(user.email)}`
  const { id } = await payments.ask((stripe) =>
    stripe.customers.create({ email: user.email, metadata: { userId: user.id } }, { idempotencyKey }),
  )
  const mine = { realm: payments.realm, customer_id: id, customer_number: number }
  await db
    .insertInto('billing_customers')
    .values({ user_id: user.id, ...mine })
    // Without a column name, because PostgreSQL would otherwise fail if another request writes the same customer.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .updateTable('billing_customers')
    .set({ ...mine, checkout_id: null })
    .where('user_id', '=', user.id)
    .where('customer_number', '<', number)
    .execute()
  const written = customerIdOf(await findBilling(db, user.id), payments)
  if (!written) throw new Error(`the customer of user ${user.id} was not kept`)
  return written
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Deletes a customer whose account was deleted. All subscriptions end with it. */
export const endCustomerJob = defineJob(
  'end customer',
  z.object({ customerId: z.string() }),
  async ({ payments }, { customerId }) => {
    await payments.ask(async (stripe) => {
      try {
        await stripe.customers.del(customerId, undefined, { maxNetworkRetries: 0 })
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    })
  },
  { isNeverGivenUp: true },
)

/** Queues the end of a user's subscriptions, in the transaction that deletes the user and before the row is gone. */
export async function queueEndOfCustomer({ jobs }: Pick<Services, 'jobs'>, tx: Tx, userId: string): Promise<void> {
  const row = await tx
    .selectFrom('billing_customers')
    .select('customer_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row?.customer_id) await jobs.enqueue(tx, endCustomerJob, { customerId: row.customer_id })
}
