import { MAX_PASSKEYS } from '@alcove/contract/limits'
import type { Passkey } from '@alcove/contract/passkeys'
import { AppError } from '../../../errors.ts'
import { findRelyingParty, type RelyingParty } from '../../../platform/crypto/passkeys.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { PasskeyRow } from '../../../platform/db/tables.ts'
import { formatTime } from '../../../platform/format.ts'

/** Returns a user's passkeys, oldest first. */
export function listPasskeyRows(db: Database, userId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function presentPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    createdAt: formatTime(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : formatTime(row.last_used_at),
    isSynced: row.is_synced === 1,
  }
}

/** Returns the relying party, or throws if passkeys aren't available at this address. */
export function getRelyingParty(publicUrl: string): RelyingParty {
  const party = findRelyingParty(publicUrl)
  if ('reason' in party) throw new AppError('state_conflict', party.reason)
  return party
}

export function passkeyNotFound(): AppError {
  return new AppError('not_found', 'This passkey was not found.')
}

export function passkeyRefused(): AppError {
  return new AppError('passkey_refused', 'This passkey could not be verified.')
}

export function passkeyExpired(): AppError {
  return new AppError('invalid_token', 'This request has expired. Please try again.')
}

export function tooManyPasskeys(): AppError {
  return new AppError('state_conflict', `You have ${MAX_PASSKEYS} passkeys. Remove one to add another.`)
}

/**
 * Records the signature counter of a passkey. A counter that doesn't increase reveals a copy; authenticators without a
 * counter stay at 0. One conditional statement, so that of two concurrent uses only one counts.
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
    throw new AppError('passkey_refused', 'This passkey was refused because it may have been copied.')
  }
}
