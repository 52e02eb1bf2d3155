import type { activate as call } from '@alcove/contract/accounts'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { findSessionUser } from '../../../platform/http/authenticate.ts'
import { hashPassword, isPassword } from '../../../platform/secrets/passwords.ts'
import { loggingRefusals, logSecurity } from '../../../platform/security-log.ts'
import { lockPassword } from '../sessions/sessions.ts'
import { assertGoodPassword } from '../sign-in/assert-good-password.ts'
import { wrongPassword } from '../sign-in/assert-password.ts'
import { countLogin, forgetFailedLogins } from '../sign-in/attempts.ts'
import { consumeToken, findTokenOwner } from '../sign-in/one-time-tokens.ts'
import { dropEarlierAccess, isAddressChanged, isClaimant } from './claim-address.ts'

/**
 * Activates an account, or confirms its new address. The mail proves who holds the address, not who chose the password:
 * that takes the password itself, a new one in its place, or a request that comes from whoever registered. Confirming a
 * new address from outside of the account drops everything by which its earlier user could still get in.
 */
export const activate: Operation<typeof call> = async (ctx, { token, proof, password, newPassword }) => {
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
    // The row first, as everywhere: of two at once neither waits for the other's half.
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
}

/** The user of the session that came with the request, if one did and it lives. */
async function findBearer(ctx: Context): Promise<string | undefined> {
  return ctx.bearer === undefined ? undefined : (await findSessionUser(ctx, ctx.bearer, ctx.ip))?.id
}

async function assertOwnPassword(ctx: Context, owner: UserRow, password: string): Promise<void> {
  await countLogin(ctx, owner.email)
  if (!(await isPassword(password, owner.password_hash))) throw wrongPassword()
  await forgetFailedLogins(ctx, owner.email)
}

/** Whose link it would be is not known. */
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
