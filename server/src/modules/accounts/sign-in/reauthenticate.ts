import { calls } from '@alcove/contract/calls'
import { PASSKEY_CHALLENGE_TTL } from '@alcove/contract/limits'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { findRelyingParty, readClientData, requestOptions, verifyPasskey } from '../../../platform/crypto/passkeys.ts'
import type { Database } from '../../../platform/db/database.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { securityEvent } from '../../../platform/security-log.ts'
import {
  getRelyingParty,
  listPasskeyRows,
  passkeyExpired,
  passkeyRefused,
  updatePasskeyCounter,
} from '../passkeys/passkeys.ts'
import { lockPassword } from '../sessions/sessions.ts'
import { isTwoFactorOn, readCode, useUpCode } from '../two-factor/two-factor.ts'
import { countCode, forgetWrongCodes } from './attempts.ts'
import { createChallenge, useUpChallenge } from './challenges.ts'
import { assertPassword, wrongPassword } from './check-password.ts'

/** Confirms the session with the password and, if two-factor sign-in is on, a code. */
export const reauthenticate = endpoint(
  calls.reauthenticate,
  securityEvent('session_confirmed', async (ctx, { password, code }) => {
    const user = await assertPassword(ctx, password)
    const proof = (await isTwoFactorOn(ctx.db, user.id)) ? await readGivenCode(code) : undefined
    await ctx.db.transaction().execute(async (tx) => {
      if (!(await lockPassword(tx, user))) throw wrongPassword()
      // Two-factor sign-in was turned on in the meantime, so the password alone isn't enough.
      if (!proof && (await isTwoFactorOn(tx, user.id))) throw codeMissing()
      if (proof) await useUpCode(tx, user.id, proof)
      await confirmSession(ctx, tx)
    })
    if (proof) await forgetWrongCodes(ctx, user.id)
    return { message: 'You have confirmed your identity.' }

    async function readGivenCode(given: string | undefined) {
      if (given === undefined) throw codeMissing()
      await countCode(ctx, user.id)
      return readCode(ctx, user.id, given)
    }
  }),
)

export function codeMissing(): AppError {
  return new AppError('wrong_code', 'Enter a code from your authenticator app or a recovery code.')
}

/** Returns the options for confirming the session with one of the account's passkeys. */
export const getReauthenticationOptions = endpoint(
  calls.getReauthenticationOptions,
  async ({ db, user, clock, config }) => {
    const party = findRelyingParty(config.publicUrl)
    if ('reason' in party) return { available: false, reason: party.reason }
    const rows = await listPasskeyRows(db, user.id)
    if (rows.length === 0) return { available: false, reason: 'This account has no passkeys.' }
    const expiresAt = clock.now() + PASSKEY_CHALLENGE_TTL
    // The challenge is bound to the user, so a challenge for signing in or for another user can't confirm the session.
    const challenge = await createChallenge(db, { kind: 'passkey', userId: user.id, expiresAt })
    const known = rows.map((row) => ({ credentialId: row.credential_id, transports: JSON.parse(row.transports) }))
    return { available: true, options: requestOptions(party, challenge, known) }
  },
)

/** Confirms the session with a passkey of its user. The challenge is used up in any case. */
export const reauthenticateWithPasskey = endpoint(
  calls.reauthenticateWithPasskey,
  securityEvent('session_confirmed', async (ctx, { response }) => {
    const { db, user } = ctx
    const now = ctx.clock.now()
    const party = getRelyingParty(ctx.config.publicUrl)
    const { challenge } = readClientData(response.response.clientDataJSON) ?? {}
    if (challenge === undefined) throw passkeyRefused()
    if (!(await useUpChallenge(db, challenge, { kind: 'passkey', userId: user.id, now }))) throw passkeyExpired()
    const passkey = await db
      .selectFrom('passkeys')
      .selectAll()
      .where('credential_id', '=', response.id)
      .where('user_id', '=', user.id)
      .executeTakeFirst()
    if (!passkey) throw passkeyRefused()
    const proof = await verifyPasskey(party, response, passkey.public_key)
    if (!proof) throw passkeyRefused()
    const row = await db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirst()
    if (!row) throw passkeyRefused()
    await db.transaction().execute(async (tx) => {
      // Locks the user's row first, in the same order as signing in.
      if (!(await lockPassword(tx, row))) throw passkeyRefused()
      await updatePasskeyCounter(tx, passkey, { ...proof, now })
      await confirmSession(ctx, tx)
    })
    return { message: 'You have confirmed your identity.' }
  }),
)

/** Records that the user has just confirmed this session. Throws 401 if the session has ended in the meantime. */
export async function confirmSession({ user, clock }: UserContext, db: Database): Promise<void> {
  const now = clock.now()
  const confirmed = await db
    .updateTable('sessions')
    .set({ confirmed_at: now })
    .where('id', '=', user.sessionId)
    .where('user_id', '=', user.id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (confirmed.numUpdatedRows === 0n) throw new AppError('unauthenticated', 'Your session has expired.')
}
