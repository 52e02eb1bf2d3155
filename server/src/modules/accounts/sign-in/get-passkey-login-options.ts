import { PASSKEY_CHALLENGE_TTL } from '@alcove/contract/limits'
import type { getPasskeyLoginOptions as call } from '@alcove/contract/passkeys'
import type { Operation } from '../../../platform/http/api.ts'
import { requestOptions } from '../../../platform/secrets/passkeys.ts'
import { findRelyingParty } from '../../../platform/secrets/relying-party.ts'
import { createChallenge } from './challenges.ts'

/** What a browser needs to sign in with a passkey; whose it will be, nobody knows yet. */
export const getPasskeyLoginOptions: Operation<typeof call> = async ({ db, clock, config }) => {
  const party = findRelyingParty(config.publicUrl)
  if ('reason' in party) return { available: false, reason: party.reason }
  const challenge = await createChallenge(db, { kind: 'passkey', expiresAt: clock.now() + PASSKEY_CHALLENGE_TTL })
  return { available: true, options: requestOptions(party, challenge) }
}
