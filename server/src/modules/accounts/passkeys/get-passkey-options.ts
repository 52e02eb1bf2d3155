import { MAX_PASSKEYS, PASSKEY_CHALLENGE_TTL } from '@alcove/contract/limits'
import type { getPasskeyOptions as call } from '@alcove/contract/passkeys'
import type { Operation } from '../../../platform/http/api.ts'
import { assertRecentSignIn } from '../../../platform/http/recent-sign-in.ts'
import { creationOptions, userHandleOf } from '../../../platform/secrets/passkeys.ts'
import { findRelyingParty } from '../../../platform/secrets/relying-party.ts'
import { assertPassword } from '../sign-in/assert-password.ts'
import { createChallenge } from '../sign-in/challenges.ts'
import { confirmSession } from '../sign-in/confirm-session.ts'
import { isTwoFactorOn } from '../two-factor/two-factor.ts'
import { listPasskeyRows, tooManyPasskeys } from './passkeys.ts'

/** What a browser needs to make a passkey. It will open the account by itself, so the password is asked for first. */
export const getPasskeyOptions: Operation<typeof call> = async (ctx, { password }) => {
  const { db, clock, config } = ctx
  const party = findRelyingParty(config.publicUrl)
  if ('reason' in party) return { available: false, reason: party.reason }
  const user = await assertPassword(ctx, password)
  const rows = await listPasskeyRows(db, user.id)
  if (rows.length >= MAX_PASSKEYS) throw tooManyPasskeys()
  // A passkey signs in without a code, so with two-factor sign-in on the password alone doesn't do.
  if (await isTwoFactorOn(db, user.id)) assertRecentSignIn(ctx.user, clock.now())
  else await confirmSession(ctx, db)
  const expiresAt = clock.now() + PASSKEY_CHALLENGE_TTL
  const options = creationOptions(party, {
    challenge: await createChallenge(db, { kind: 'new passkey', userId: user.id, expiresAt }),
    userHandle: userHandleOf(user.id),
    email: user.email,
    known: rows.map((row) => ({ credentialId: row.credential_id, transports: JSON.parse(row.transports) })),
  })
  return { available: true, options }
}
