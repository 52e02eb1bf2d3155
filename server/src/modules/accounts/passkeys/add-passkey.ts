import { randomUUID } from 'node:crypto'
import { MAX_PASSKEYS } from '@alcove/contract/limits'
import type { addPasskey as call } from '@alcove/contract/passkeys'
import { AppError } from '../../../errors.ts'
import { isUniqueViolation } from '../../../platform/db/unique-violation.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { describeDevice } from '../../../platform/http/describe-device.ts'
import { readClientData, verifyNewPasskey } from '../../../platform/secrets/passkeys.ts'
import { queueMail, sendQueuedMails } from '../mails.ts'
import { useUpChallenge } from '../sign-in/challenges.ts'
import { getRelyingParty, passkeyExpired, passkeyRefused, presentPasskey, tooManyPasskeys } from './passkeys.ts'

/** Keeps a passkey that the browser made for a challenge of this user's. A challenge is used up, whatever comes of it. */
export const addPasskey: Operation<typeof call> = async (ctx, { name, response }) => {
  const { db, user, clock } = ctx
  const now = clock.now()
  const party = getRelyingParty(ctx.config.publicUrl)
  const { challenge } = readClientData(response.response.clientDataJSON) ?? {}
  if (challenge === undefined) throw passkeyRefused()
  if (!(await useUpChallenge(db, challenge, { kind: 'new passkey', userId: user.id, now }))) throw passkeyExpired()
  const made = await verifyNewPasskey(party, response)
  if (!made) throw passkeyRefused()
  const row = {
    id: randomUUID(),
    user_id: user.id,
    credential_id: made.credentialId,
    public_key: made.publicKey,
    counter: made.counter,
    transports: JSON.stringify(made.transports),
    name: name ?? describeDevice(ctx.userAgent),
    is_synced: made.isSynced ? 1 : 0,
    created_at: now,
    last_used_at: null,
  }
  try {
    await db.transaction().execute(async (tx) => {
      // Locks the user's row, so that many at once are not more than the limit allows.
      await tx
        .updateTable('users')
        .set({ email: user.email })
        .where('id', '=', user.id)
        .where('email', '=', user.email)
        .execute()
      const { count } = await tx
        .selectFrom('passkeys')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('user_id', '=', user.id)
        .executeTakeFirstOrThrow()
      if (Number(count) >= MAX_PASSKEYS) throw tooManyPasskeys()
      await tx.insertInto('passkeys').values(row).execute()
      await queueMail(ctx, tx, 'security changed mail', user.id, { change: 'passkey_added' })
    })
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('state_conflict', 'This passkey is in use already.') : error
  }
  await sendQueuedMails(ctx)
  return presentPasskey(row)
}
