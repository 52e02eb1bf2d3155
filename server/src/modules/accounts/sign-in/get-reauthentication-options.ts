import { PASSKEY_CHALLENGE_TTL } from '@alcove/contract/limits'
import type { getReauthenticationOptions as call } from '@alcove/contract/reauthentication'
import type { Operation } from '../../../platform/http/api.ts'
import { requestOptions } from '../../../platform/secrets/passkeys.ts'
import { findRelyingParty } from '../../../platform/secrets/relying-party.ts'
import { listPasskeyRows } from '../passkeys/passkeys.ts'
import { createChallenge } from './challenges.ts'

/** Returns what a browser needs to confirm the session with one of the account's passkeys. */
export const getReauthenticationOptions: Operation<typeof call> = async ({ db, user, clock, config }) => {
  const party = findRelyingParty(config.publicUrl)
  if ('reason' in party) return { available: false, reason: party.reason }
  const rows = await listPasskeyRows(db, user.id)
  if (rows.length === 0) return { available: false, reason: 'This account has no passkeys.' }
  const expiresAt = clock.now() + PASSKEY_CHALLENGE_TTL
  // The challenge is bound to the user: one that was made for signing in, or for someone else, confirms nothing.
  const challenge = await createChallenge(db, { kind: 'passkey', userId: user.id, expiresAt })
  const known = rows.map((row) => ({ credentialId: row.credential_id, transports: JSON.parse(row.transports) }))
  return { available: true, options: requestOptions(party, challenge, known) }
}
