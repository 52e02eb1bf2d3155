import { z } from 'zod'
import type { Services } from '../../../context.ts'
import { isMissing } from '../../../platform/payments/stripe-refusals.ts'

const job = z.object({ customerId: z.string() })

/** Deletes a customer whose account was deleted: every subscription ends with it, and nothing is charged any more. */
export async function endCustomer({ payments }: Services, payload: unknown): Promise<void> {
  const { customerId } = job.parse(payload)
  await payments.ask(async (stripe) => {
    try {
      await stripe.customers.del(customerId, undefined, { maxNetworkRetries: 0 })
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  })
}
