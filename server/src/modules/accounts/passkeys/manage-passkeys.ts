import { randomUUID } from 'node:crypto'
import { calls } from '@alcove/contract/calls'
import { MAX_PASSKEYS, PASSKEY_CHALLENGE_TTL } from '@alcove/contract/limits'
import { AppError } from '../../../errors.ts'
import {
  creationOptions,
  findRelyingParty,
  readClientData,
  userHandleOf,
  verifyNewPasskey,
} from '../../../platform/crypto/passkeys.ts'
import { hasPassword } from '../../../platform/crypto/passwords.ts'
import { isUniqueViolation } from '../../../platform/db/database-errors.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { assertRecentSignIn } from '../../../platform/http/authenticate.ts'
import { describeDevice } from '../../../platform/http/describe-device.ts'
import { securityEvent } from '../../../platform/security-log.ts'
import { readBrand } from '../../site/index.ts'
import { reportSecurityChange, sendQueuedMails } from '../mails.ts'
import { createChallenge, useUpChallenge } from '../sign-in/challenges.ts'
import { assertPassword } from '../sign-in/check-password.ts'
import { confirmSession } from '../sign-in/reauthenticate.ts'
import { isTwoFactorOn } from '../two-factor/two-factor.ts'
import {
  getRelyingParty,
  listPasskeyRows,
  passkeyExpired,
  passkeyNotFound,
  passkeyRefused,
  presentPasskey,
  tooManyPasskeys,
} from './passkeys.ts'

export const listPasskeys = endpoint(calls.listPasskeys, async ({ db, user, config }) => {
  const party = findRelyingParty(config.publicUrl)
  const reason = 'reason' in party ? party.reason : null
  const passkeys = (await listPasskeyRows(db, user.id)).map(presentPasskey)
  return { available: reason === null, reason, passkeys }
})

/**
 * Returns the options for creating a passkey. A passkey opens the account on its own, so this call requires the
 * password first.
 */
export const getPasskeyOptions = endpoint(calls.getPasskeyOptions, async (ctx, { password }) => {
  const { db, clock, config } = ctx
  const party = findRelyingParty(config.publicUrl)
  if ('reason' in party) return { available: false, reason: party.reason }
  const user = await assertPassword(ctx, password)
  const rows = await listPasskeyRows(db, user.id)
  if (rows.length >= MAX_PASSKEYS) throw tooManyPasskeys()
  // With two-factor sign-in on, the password alone isn't enough, because a passkey signs in without a code.
  if (await isTwoFactorOn(db, user.id)) assertRecentSignIn(ctx.user, clock.now())
  else if (hasPassword(user.password_hash)) await confirmSession(ctx, db)
  const expiresAt = clock.now() + PASSKEY_CHALLENGE_TTL
  const options = creationOptions(party, {
    challenge: await createChallenge(db, { kind: 'new passkey', userId: user.id, expiresAt }),
    userHandle: userHandleOf(user.id),
    email: user.email,
    siteName: (await readBrand(ctx)).name,
    known: rows.map((row) => ({ credentialId: row.credential_id, transports: JSON.parse(row.transports) })),
  })
  return { available: true, options }
})

/** Adds a passkey that the browser created for a challenge of this user. The challenge is used up in any case. */
export const addPasskey = endpoint(
  calls.addPasskey,
  securityEvent('passkey_added', async (ctx, { name, response }) => {
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
        // Locks the user's row, so that concurrent requests can't exceed the limit.
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
        await reportSecurityChange(ctx, tx, user.id, { change: 'passkey_added', name: row.name })
      })
    } catch (error) {
      throw isUniqueViolation(error) ? new AppError('state_conflict', 'This passkey is already in use.') : error
    }
    await sendQueuedMails(ctx)
    return presentPasskey(row)
  }),
)

export const renamePasskey = endpoint(calls.renamePasskey, async ({ db, user }, { id, name }) => {
  const row = await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', user.id)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw passkeyNotFound()
  return presentPasskey(row)
})

export const removePasskey = endpoint(
  calls.removePasskey,
  securityEvent('passkey_removed', async (ctx, { id }) => {
    const { user } = ctx
    await ctx.db.transaction().execute(async (tx) => {
      const removed = await tx
        .deleteFrom('passkeys')
        .where('id', '=', id)
        .where('user_id', '=', user.id)
        .returning('name')
        .executeTakeFirst()
      if (!removed) throw passkeyNotFound()
      await reportSecurityChange(ctx, tx, user.id, { change: 'passkey_removed', name: removed.name })
    })
    await sendQueuedMails(ctx)
    return { message: 'The passkey was removed.' }
  }),
)
