import { MAX_PASSKEYS } from '@alcove/contract/limits'
import type { Passkey } from '@alcove/contract/passkeys'
import { AppError } from '../../../errors.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { PasskeyRow } from '../../../platform/db/tables.ts'
import { formatTime } from '../../../platform/iso-time.ts'
import { findRelyingParty, type RelyingParty } from '../../../platform/secrets/relying-party.ts'

/** A user's passkeys, the oldest first. */
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

/** For what cannot happen where there are no passkeys. */
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
  return new AppError('invalid_token', 'This has taken too long. Please try again.')
}

export function tooManyPasskeys(): AppError {
  return new AppError('state_conflict', `You have ${MAX_PASSKEYS} passkeys. Remove one to add another.`)
}
