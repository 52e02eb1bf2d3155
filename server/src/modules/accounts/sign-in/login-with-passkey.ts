import type { loginWithPasskey as call } from '@alcove/contract/passkeys'
import { AppError } from '../../../errors.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { readClientData, userHandleOf, verifyPasskey } from '../../../platform/secrets/passkeys.ts'
import { getRelyingParty, passkeyExpired, passkeyRefused } from '../passkeys/passkeys.ts'
import { updatePasskeyCounter } from '../passkeys/update-passkey-counter.ts'
import { lockPassword, signIn } from '../sessions/sessions.ts'
import { useUpChallenge } from './challenges.ts'
import { assertActivated } from './login.ts'

/**
 * Signs in with a passkey. It is two factors at once, the authenticator and what unlocks it, so no code is asked for.
 * A challenge is used up, whatever comes of it.
 */
export const loginWithPasskey: Operation<typeof call> = async (ctx, { response }) => {
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
  if (!passkey) throw new AppError('passkey_refused', 'This passkey does not belong to an account here.')
  if (response.response.userHandle !== userHandleOf(passkey.user_id)) throw passkeyRefused()
  const proof = await verifyPasskey(party, response, passkey.public_key)
  if (!proof) throw passkeyRefused()
  const user = await ctx.db.selectFrom('users').selectAll().where('id', '=', passkey.user_id).executeTakeFirst()
  if (!user) throw passkeyRefused()
  assertActivated(user)
  return signIn(ctx, user, async (tx) => {
    if (!(await lockPassword(tx, user))) throw passkeyRefused()
    await updatePasskeyCounter(tx, passkey, { ...proof, now })
  })
}
