import { calls } from '@alcove/contract/calls'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { hashPassword, isPassword } from '../../../platform/crypto/passwords.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { findSessionUser } from '../../../platform/http/authenticate.ts'
import { loggingRefusals, logSecurity } from '../../../platform/security-log.ts'
import { lockPassword } from '../sessions/sessions.ts'
import { countLogin, forgetFailedLogins } from '../sign-in/attempts.ts'
import { assertGoodPassword, wrongPassword } from '../sign-in/check-password.ts'
import { consumeToken, findTokenOwner } from '../sign-in/one-time-tokens.ts'
import { dropEarlierAccess, isAddressChanged, isClaimant } from './claim-address.ts'

/**
 * Activates an account, or confirms its new address. The mail proves who owns the address, not who chose the password.
 * So activation also requires the password, a new password, or a request from the browser that registered. If a changed
 * address is confirmed outside a session of its user, all earlier access to the account is removed.
 */
export const activate = endpoint(calls.activate, async (ctx, { token, proof, password, newPassword }) => {
  const now = ctx.clock.now()
  const owner = await findTokenOwner(ctx.db, 'activation', token, now)
  if (!owner) throw refuseLink(ctx)
  const isSignedIn = (await findBearer(ctx)) === owner.id
  if (password !== undefined) {
    await loggingRefusals(ctx, { account: owner.email }, () => assertOwnPassword(ctx, owner, password))
  } else if (newPassword === undefined && !isSignedIn && !isClaimant(ctx, owner, proof)) throw passwordRequired()
  if (newPassword !== undefined) await assertGoodPassword(newPassword, owner.email)
  const passwordHash = newPassword === undefined ? owner.password_hash : await hashPassword(newPassword)

  await ctx.db.transaction().execute(async (tx) => {
    // Locks the user's row first, as everywhere, so that two requests can't deadlock.
    if (!(await lockPassword(tx, owner))) throw invalidActivationToken()
    const used = await consumeToken(tx, 'activation', token, now)
    if (!used) throw invalidActivationToken()
    const activated = await tx
      .updateTable('users')
      .set({
        activated_at: now,
        confirmed_email: used.email,
        password_hash: passwordHash,
        claimed_from: null,
        proof_hash: null,
      })
      .where('id', '=', used.userId)
      .where('email', '=', used.email)
      .executeTakeFirst()
    if (activated.numUpdatedRows === 0n) throw invalidActivationToken()
    if (isAddressChanged(owner) && !isSignedIn) await dropEarlierAccess(tx, owner.id, now)
  })
  logSecurity(ctx, 'activated', { account: owner.email })
  return { message: 'Your account has been successfully activated!' }
})

/** Returns the user of a valid session in the request, if any. */
async function findBearer(ctx: Context): Promise<string | undefined> {
  return ctx.bearer === undefined ? undefined : (await findSessionUser(ctx, ctx.bearer, ctx.ip))?.id
}

async function assertOwnPassword(ctx: Context, owner: UserRow, password: string): Promise<void> {
  await countLogin(ctx, owner.email)
  if (!(await isPassword(password, owner.password_hash))) throw wrongPassword()
  await forgetFailedLogins(ctx, owner.email)
}

/** Logs the refusal without an account, because the owner of the link is unknown, and returns the error. */
function refuseLink(ctx: Context): AppError {
  logSecurity(ctx, 'mail_link_failed', {})
  return invalidActivationToken()
}

function passwordRequired(): AppError {
  return new AppError(
    'password_required',
    'Confirm the password you chose when you registered, or set a new one, to activate this account.',
  )
}

function invalidActivationToken(): AppError {
  return new AppError('invalid_token', 'This activation link is invalid or has expired.')
}
