import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { PasskeyRow } from '../../../platform/db/tables.ts'

/**
 * Notes how often the passkey has signed. A counter that does not go up means that there are two of it, one of them a
 * copy; those that keep none stay at 0. One conditional statement, so that of two at once only one counts.
 */
export async function updatePasskeyCounter(
  tx: Tx,
  { id }: PasskeyRow,
  { counter, isSynced, now }: { counter: number; isSynced: boolean; now: number },
): Promise<void> {
  const moved = await tx
    .updateTable('passkeys')
    .set({ counter, is_synced: isSynced ? 1 : 0, last_used_at: now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('counter', '<', counter), eb.and([eb('counter', '=', 0), eb.val(counter === 0)])]))
    .executeTakeFirst()
  if (moved.numUpdatedRows === 0n) {
    throw new AppError('passkey_refused', 'This passkey was refused: it has been used elsewhere, and may be a copy.')
  }
}
