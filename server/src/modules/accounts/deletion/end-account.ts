import type { Services } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/text-list.ts'
import { queueEndOfCustomer } from '../../../platform/payments/end-customer.ts'
import { queueBlobRemovalOf } from '../../storage/index.ts'

/** The kind of job that deletes what remains of an account; its payload is `{ userId }`. */
export const DELETE_LEFTOVERS = 'delete remains'

/** All that makes a user's row an account, and is never much. */
const WITH_THE_ACCOUNT = [
  'sessions',
  'one_time_tokens',
  'known_devices',
  'two_factor',
  'recovery_codes',
  'passkeys',
  'challenges',
  'billing_customers',
  'billing_mails',
] as const

/**
 * Ends an account, whose row and unfinished uploads must be locked, and whose address has been given up: from here on
 * nothing leads to what is in it. Items, search index and finished uploads remain for the job that is queued here.
 */
export async function endAccount(
  services: Pick<Services, 'jobs' | 'clock'>,
  tx: Tx,
  { userId, uploads }: { userId: string; uploads: readonly string[] },
): Promise<void> {
  await queueEndOfCustomer(services, tx, userId)
  if (uploads.length > 0) {
    const unfinished = tx
      .selectFrom('uploads')
      .select('blob_key')
      .where(isAmong(tx, 'id', uploads))
    await queueBlobRemovalOf(services, tx, unfinished.where('completed_at', 'is', null))
    await tx
      .deleteFrom('uploads')
      .where(isAmong(tx, 'id', uploads))
      .where('completed_at', 'is', null)
      .execute()
  }
  for (const table of WITH_THE_ACCOUNT) await tx.deleteFrom(table).where('user_id', '=', userId).execute()
  await tx.deleteFrom('download_selections').where('owner_id', '=', userId).execute()
  await tx
    .updateTable('users')
    .set({ deleted_at: services.clock.now(), password_hash: '', activated_at: null })
    .where('id', '=', userId)
    .execute()
  await services.jobs.enqueue(tx, DELETE_LEFTOVERS, { userId })
}
