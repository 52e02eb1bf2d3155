import type { SignedIn } from '@alcove/contract/accounts'
import { calls } from '@alcove/contract/calls'
import { TWO_FACTOR_CHALLENGE_TTL } from '@alcove/contract/limits'
import type { Context } from '../../../context.ts'
import { AppError, accountSuspended } from '../../../errors.ts'
import { isPassword } from '../../../platform/crypto/passwords.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import { endpoint, type Operation } from '../../../platform/http/api.ts'
import { loggingRefusals } from '../../../platform/security-log.ts'
import { assertAdmits } from '../../site/index.ts'
import { lockPassword, openSession, presentSignedIn, signIn } from '../sessions/sessions.ts'
import { readTicket } from '../single-sign-on/tickets.ts'
import { isTwoFactorOn, readCode, useUpCode } from '../two-factor/two-factor.ts'
import { findUserByEmail } from '../users.ts'
import { countCode, countLogin, forgetFailedLogins, forgetWrongCodes } from './attempts.ts'
import { createChallenge, findChallengedUser, useUpChallenge } from './challenges.ts'

/**
 * Signs in or, if two-factor sign-in is on, returns a challenge for the code. An unknown address and a wrong password
 * get the same response after the same time.
 */
export const login = endpoint(calls.login, (ctx, input) =>
  loggingRefusals(ctx, { account: input.email }, () => checkPassword(ctx, input)),
)

const checkPassword: Operation<typeof calls.login> = async (ctx, { email, password, ticket }) => {
  await countLogin(ctx, email)
  const user = await findUserByEmail(ctx.db, email)
  const fits = await isPassword(password, user?.password_hash)
  if (!user || !fits) throw incorrect()
  await forgetFailedLogins(ctx, email)
  await assertMaySignIn(ctx, user)
  // Linking an account requires its password, also where passwords are switched off.
  const person = await readTicket(ctx, user, ticket)
  const opened = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockPassword(tx, user))) throw incorrect()
    if (!(await isTwoFactorOn(tx, user.id))) return openSession(ctx, tx, user, person)
    const expiresAt = ctx.clock.now() + TWO_FACTOR_CHALLENGE_TTL
    return { challenge: await createChallenge(tx, { kind: 'code', userId: user.id, expiresAt }) }
  })
  if ('challenge' in opened) return { twoFactorRequired: true, challenge: opened.challenge }
  return presentSignedIn(ctx, user, opened)
}

/** Throws if a user who has proved the identity may not sign in. */
export async function assertMaySignIn(ctx: Context, user: UserRow): Promise<void> {
  if (user.suspended_at !== null) throw accountSuspended(await ctx.readSupportEmail())
  if (user.activated_at === null) {
    throw new AppError('not_activated', 'Account not activated.', { resendOption: true })
  }
  await assertAdmits(ctx, user)
}

function incorrect(): AppError {
  return new AppError('incorrect_credentials', 'Incorrect username/password.')
}

/**
 * Finishes a sign-in with a code. The challenge proves that the password was correct and ends when the password
 * changes. After a wrong code it stays valid for more attempts, which are limited per account.
 */
export const loginWithCode = endpoint(calls.loginWithCode, async (ctx, { challenge, code, ticket }) => {
  const user = await findChallengedUser(ctx.db, challenge, 'code', ctx.clock.now())
  if (!user) throw expired()
  return loggingRefusals(ctx, { account: user.email }, () => checkCode(ctx, user, { challenge, code, ticket }))
})

async function checkCode(
  ctx: Context,
  user: UserRow,
  { challenge, code, ticket }: { challenge: string; code: string; ticket?: string },
): Promise<SignedIn> {
  const now = ctx.clock.now()
  await countCode(ctx, user.id)
  await assertMaySignIn(ctx, user)
  const person = ticket === undefined ? undefined : await readTicket(ctx, user, ticket)
  const proof = await readCode(ctx, user.id, code)
  const check = async (tx: Tx) => {
    if (!(await lockPassword(tx, user))) throw expired()
    if (!(await useUpChallenge(tx, challenge, { kind: 'code', userId: user.id, now }))) throw expired()
    await useUpCode(tx, user.id, proof)
  }
  const signedIn = await signIn(ctx, user, check, person)
  await forgetWrongCodes(ctx, user.id)
  return signedIn
}

function expired(): AppError {
  return new AppError('invalid_token', 'This sign-in has expired. Please sign in again.')
}
