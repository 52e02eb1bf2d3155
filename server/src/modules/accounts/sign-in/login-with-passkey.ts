import { calls } from '@alcove/contract/calls'
import { PASSKEY_CHALLENGE_TTL } from '@alcove/contract/limits'
import { AppError } from '../../../errors.ts'
import {
  findRelyingParty,
  readClientData,
  requestOptions,
  userHandleOf,
  verifyPasskey,
} from '../../../platform/crypto/passkeys.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { endpoint, type Operation } from '../../../platform/http/api.ts'
import { loggingRefusals } from '../../../platform/security-log.ts'
import { getRelyingParty, passkeyExpired, passkeyRefused, updatePasskeyCounter } from '../passkeys/passkeys.ts'
import { lockPassword, signIn } from '../sessions/sessions.ts'
import { readTicket } from '../single-sign-on/tickets.ts'
import { createChallenge, useUpChallenge } from './challenges.ts'
import { assertMaySignIn } from './login.ts'

/** Returns the options for signing in with a passkey. The user isn't known yet. */
export const getPasskeyLoginOptions = endpoint(calls.getPasskeyLoginOptions, async ({ db, clock, config }) => {
  const party = findRelyingParty(config.publicUrl)
  if ('reason' in party) return { available: false, reason: party.reason }
  const challenge = await createChallenge(db, { kind: 'passkey', expiresAt: clock.now() + PASSKEY_CHALLENGE_TTL })
  return { available: true, options: requestOptions(party, challenge) }
})

/**
 * Signs in with a passkey. A passkey counts as two factors, the device and its PIN or biometric check, so no code is
 * required. The challenge is used up in any case.
 */
export const loginWithPasskey = endpoint(calls.loginWithPasskey, (ctx, input) =>
  // When a passkey is refused, its owner isn't known.
  loggingRefusals(ctx, {}, () => verifyAndSignIn(ctx, input)),
)

const verifyAndSignIn: Operation<typeof calls.loginWithPasskey> = async (ctx, { response, ticket }) => {
  const now = ctx.clock.now()
  const party = getRelyingParty(ctx.config.publicUrl)
  const { challenge } = readClientData(response.response.clientDataJSON) ?? {}
  if (challenge === undefined) throw passkeyRefused()
  if (!(await useUpChallenge(ctx.db, challenge, { kind: 'passkey', now }))) throw passkeyExpired()
  const passkey = await ctx.db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', response.id)
    .executeTakeFirst()
  if (!passkey) throw new AppError('passkey_refused', 'This passkey does not belong to any account here.')
  if (response.response.userHandle !== userHandleOf(passkey.user_id)) throw passkeyRefused()
  const proof = await verifyPasskey(party, response, passkey.public_key)
  if (!proof) throw passkeyRefused()
  const user = await ctx.db.selectFrom('users').selectAll().where('id', '=', passkey.user_id).executeTakeFirst()
  if (!user) throw passkeyRefused()
  await assertMaySignIn(ctx, user)
  const person = await readTicket(ctx, user, ticket)
  const check = async (tx: Tx) => {
    if (!(await lockPassword(tx, user))) throw passkeyRefused()
    await updatePasskeyCounter(tx, passkey, { ...proof, now })
  }
  return signIn(ctx, user, check, person)
}
