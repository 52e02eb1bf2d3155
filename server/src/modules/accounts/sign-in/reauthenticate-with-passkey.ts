import type { reauthenticateWithPasskey as call } from '@alcove/contract/reauthentication'
import type { Operation } from '../../../platform/http/api.ts'
import { readClientData, verifyPasskey } from '../../../platform/secrets/passkeys.ts'
import { getRelyingParty, passkeyExpired, passkeyRefused } from '../passkeys/passkeys.ts'
import { updatePasskeyCounter } from '../passkeys/update-passkey-counter.ts'
import { lockPassword } from '../sessions/sessions.ts'
import { useUpChallenge } from './challenges.ts'
import { confirmSession } from './confirm-session.ts'

/** Confirms the session with a passkey of its own user. A challenge is used up, whatever comes of it. */
export const reauthenticateWithPasskey: Operation<typeof call> = async (ctx, { response }) => {
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
    // The user's row first, in the order in which signing in takes them.
    if (!(await lockPassword(tx, row))) throw passkeyRefused()
    await updatePasskeyCounter(tx, passkey, { ...proof, now })
    await confirmSession(ctx, tx)
  })
  return { message: 'You have confirmed that it is you.' }
}
