import type { NotNull } from 'kysely'
import type { Services } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/text-list.ts'
import { yieldingTransaction } from '../../../platform/db/yielding-transaction.ts'
import { queueEndOfCustomer } from '../../../platform/payments/end-customer.ts'
import { queueBlobRemovalOf } from '../../storage/index.ts'
import { endAccount } from './end-account.ts'
import { AT_ONCE, isLargeAccount } from './is-large-account.ts'

type Deleting = Pick<Services, 'db' | 'jobs' | 'clock'>

/**
 * Deletes a user with all that is theirs, in one transaction of a few statements; the bytes are queued in it and go at
 * once behind it. One who is not there any more is deleted already. Of whoever has very much the account ends in that
 * transaction, and what remains of it is deleted by a job (`delete-leftovers.ts`): nobody waits for a million files, neither
 * who asks for it nor, on SQLite, everybody else.
 */
export async function deleteUser(services: Deleting, userId: string): Promise<void> {
  const isMuch = await isLargeAccount(services.db, userId)
  await yieldingTransaction(services.db, async (tx) => {
    const uploads = await lockUploads(tx, userId)
    if (!(await lockUser(tx, userId))) return
    if (isMuch) await endAccount(services, tx, { userId, uploads })
    else await deleteWhole(services, tx, userId)
  })
}

/** Deletes what an account still is, which must be little. The user's row must be locked. */
export async function deleteWhole(services: Deleting, tx: Tx, userId: string): Promise<void> {
  await queueEndOfCustomer(services, tx, userId)
  const ofItems = tx.selectFrom('items').select('blob_key').where('owner_id', '=', userId)
  await queueBlobRemovalOf(services, tx, ofItems.where('blob_key', 'is not', null).$narrowType<{ blob_key: NotNull }>())
  const ofUploads = tx.selectFrom('uploads').select('blob_key').where('owner_id', '=', userId)
  await queueBlobRemovalOf(services, tx, ofUploads.where('completed_at', 'is', null))
  await tx.deleteFrom('items').where('owner_id', '=', userId).execute()
  // The rest goes with the user: sessions, tokens, uploads, passkeys, the search index.
  await tx.deleteFrom('users').where('id', '=', userId).execute()
}

/** Uploads are locked before the user, as by whatever changes the user's trees. More than some nobody has unfinished. */
async function lockUploads(tx: Tx, userId: string): Promise<string[]> {
  const unfinished = await tx
    .selectFrom('uploads')
    .select('id')
    .where('owner_id', '=', userId)
    .where('completed_at', 'is', null)
    .limit(AT_ONCE)
    .execute()
  const ids = unfinished.map(({ id }) => id)
  if (ids.length === 0) return ids
  await tx
    .updateTable('uploads')
    .set((eb) => ({ expires_at: eb.ref('expires_at') }))
    .where(isAmong(tx, 'id', ids))
    .where('completed_at', 'is', null)
    .execute()
  return ids
}

/**
 * False where there is no such account any more. Giving the address up, which is a key, also holds off rows that refer to
 * the user and are only being added. What was added between this and the locks of the uploads is met when it is deleted:
 * therefore the transaction is one that gives way.
 */
async function lockUser(tx: Tx, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ email: userId })
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
