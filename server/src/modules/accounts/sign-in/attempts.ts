import {
  FAILED_LOGIN_WINDOW,
  FAILURES_ANYWHERE_WINDOW,
  MAIL_WINDOW,
  MAX_FAILED_LOGINS,
  MAX_FAILURES_ANYWHERE,
  MAX_MAILS_PER_ADDRESS,
  MAX_WRONG_CODES,
  SLOWED_ATTEMPT_INTERVAL,
  WRONG_CODE_WINDOW,
} from '@alcove/contract/limits'
import type { Context, UserContext } from '../../../context.ts'
import type { SlowDown } from '../../../platform/http/rate-limits.ts'
import { isKnownNetwork } from './known-devices.ts'

const FAILED_LOGINS = { points: MAX_FAILED_LOGINS, seconds: FAILED_LOGIN_WINDOW / 1000 }
const MAILS = { points: MAX_MAILS_PER_ADDRESS, seconds: MAIL_WINDOW / 1000 }
const EMAIL_CHANGES = { points: MAX_MAILS_PER_ADDRESS, seconds: MAIL_WINDOW / 1000 }
const WRONG_CODES = { points: MAX_WRONG_CODES, seconds: WRONG_CODE_WINDOW / 1000 }

/** Failures for one account from all networks together. */
const GUESSES = slowDownOf('failed logins of an account')
/** Failures within a session count separately, so that strangers don't slow down the user. */
const CONFIRMATIONS = slowDownOf('failed confirmations of a user')

/**
 * Counts a sign-in attempt before the password is checked, so that concurrent attempts can't exceed the limit.
 * `forgetFailedLogins` undoes this after a success.
 */
export async function countLogin(ctx: Context, email: string): Promise<void> {
  await ctx.rateLimits.consumeFrom('failed logins', FAILED_LOGINS, ctx.ip, email)
  await ctx.rateLimits.slowDown(GUESSES, email, () => isKnownNetwork(ctx, email))
}

/**
 * Forgets failures after a correct password. Only a known network ends the slowdown, because a correct guess could come
 * from anywhere.
 */
export async function forgetFailedLogins(ctx: Context, email: string): Promise<void> {
  await ctx.rateLimits.forgetFrom('failed logins', FAILED_LOGINS, ctx.ip, email)
  if (await isKnownNetwork(ctx, email)) await ctx.rateLimits.speedUp(GUESSES, email)
  else await ctx.rateLimits.giveBack(GUESSES, email)
}

/** Forgets all failures of an account after a password reset by mail. */
export async function clearFailedLogins({ rateLimits, ip }: Context, email: string): Promise<void> {
  await rateLimits.forgetFrom('failed logins', FAILED_LOGINS, ip, email)
  await rateLimits.speedUp(GUESSES, email)
}

/** Counts a password confirmation of a signed-in user like a sign-in attempt. */
export async function countConfirmation(ctx: UserContext): Promise<void> {
  const { email, id } = ctx.user
  await ctx.rateLimits.consumeFrom('failed logins', FAILED_LOGINS, ctx.ip, email)
  await ctx.rateLimits.slowDown(CONFIRMATIONS, id, () => isKnownNetwork(ctx, email))
}

export async function forgetFailedConfirmations({ rateLimits, ip, user }: UserContext): Promise<void> {
  await rateLimits.forgetFrom('failed logins', FAILED_LOGINS, ip, user.email)
  await rateLimits.speedUp(CONFIRMATIONS, user.id)
}

/** Counts a requested mail to an address, known or not, so that nobody's inbox can be flooded. */
export function countMail({ rateLimits }: Context, kind: 'activation' | 'reset', email: string): Promise<void> {
  return rateLimits.consume(`${kind} mails`, MAILS, email)
}

/**
 * Counts a two-factor attempt before it is checked, per account only: the caller knows the password and could come from
 * anywhere. `forgetWrongCodes` undoes this.
 */
export function countCode({ rateLimits }: Context, userId: string): Promise<void> {
  return rateLimits.consume('wrong codes', WRONG_CODES, userId)
}

export function forgetWrongCodes({ rateLimits }: Context, userId: string): Promise<void> {
  return rateLimits.forget('wrong codes', WRONG_CODES, userId)
}

/** Counts a change of address, because each one sends a mail to an unconfirmed address. */
export function countEmailChange({ rateLimits }: Context, userId: string): Promise<void> {
  return rateLimits.consume('email changes', EMAIL_CHANGES, userId)
}

function slowDownOf(name: string): SlowDown {
  return {
    name,
    free: { points: MAX_FAILURES_ANYWHERE, seconds: FAILURES_ANYWHERE_WINDOW / 1000 },
    slowed: { points: 1, seconds: SLOWED_ATTEMPT_INTERVAL / 1000 },
  }
}
