import type { NotNull } from 'kysely'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { yieldingTransaction } from '../../platform/db/yielding-transaction.ts'
import { queueEndOfCustomer } from '../../platform/payments/end-customer.ts'
import { queueBlobRemovalOf } from '../../tree/remove-blobs.ts'

/**
 * Deletes a user with all that is theirs, in a few statements however much there is; one who is not there any more is
 * deleted already. The bytes are queued in the same transaction and go at once behind it.
 */
export async function deleteUser(services: Pick<Services, 'db' | 'jobs' | 'clock'>, userId: string): Promise<void> {
  await yieldingTransaction(services.db, async (tx) => {
    await lockUser(tx, userId)
    await queueEndOfCustomer(services, tx, userId)
    const ofItems = tx.selectFrom('items').select('blob_key').where('owner_id', '=', userId)
    await queueBlobRemovalOf(
      services,
      tx,
      ofItems.where('blob_key', 'is not', null).$narrowType<{ blob_key: NotNull }>(),
    )
    const ofUploads = tx.selectFrom('uploads').select('blob_key').where('owner_id', '=', userId)
    await queueBlobRemovalOf(services, tx, ofUploads.where('completed_at', 'is', null))
    await tx.deleteFrom('items').where('owner_id', '=', userId).execute()
    // The rest goes with the user: sessions, tokens, uploads, passkeys, the search index.
    await tx.deleteFrom('users').where('id', '=', userId).execute()
  })
}

/**
 * Takes the locks that changes of the user's trees take, uploads first as they do. Giving the address up, which is a
 * key, also holds off rows that refer to the user and are only being added. What was added between the one and the other
 * is met when it is deleted: therefore the transaction is one that gives way.
 */
async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('uploads')
    .set((eb) => ({ expires_at: eb.ref('expires_at') }))
    .where('owner_id', '=', userId)
    .where('completed_at', 'is', null)
    .execute()
  await tx.updateTable('users').set({ email: userId }).where('id', '=', userId).execute()
}
