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
import { isKnownPlace } from './known-devices.ts'

const FAILED_LOGINS = { points: MAX_FAILED_LOGINS, seconds: FAILED_LOGIN_WINDOW / 1000 }
const MAILS = { points: MAX_MAILS_PER_ADDRESS, seconds: MAIL_WINDOW / 1000 }
const EMAIL_CHANGES = { points: MAX_MAILS_PER_ADDRESS, seconds: MAIL_WINDOW / 1000 }
const WRONG_CODES = { points: MAX_WRONG_CODES, seconds: WRONG_CODE_WINDOW / 1000 }

/** Guesses at one account, from however many networks. */
const GUESSES = slowDownOf('failed logins of an account')
/** Guesses by whoever holds a session are apart, so that strangers don't slow down its user. */
const CONFIRMATIONS = slowDownOf('failed confirmations of a user')

/**
 * Counts an attempt to sign in, before its password is looked at, so that many at once are not more than the limit
 * allows; `forgetFailedLogins` takes back what turns out to be the user.
 */
export async function countLogin(ctx: Context, email: string): Promise<void> {
  await ctx.rateLimits.consumeFrom('failed logins', FAILED_LOGINS, ctx.ip, email)
  await ctx.rateLimits.slowDown(GUESSES, email, () => isKnownPlace(ctx, email))
}

/** Forgets failures where a password turned out right. Only a known place ends the slowing down: a guess isn't one. */
export async function forgetFailedLogins(ctx: Context, email: string): Promise<void> {
  await ctx.rateLimits.forgetFrom('failed logins', FAILED_LOGINS, ctx.ip, email)
  if (await isKnownPlace(ctx, email)) await ctx.rateLimits.speedUp(GUESSES, email)
  else await ctx.rateLimits.giveBack(GUESSES, email)
}

/** Forgets all failures of an account whose password was reset by mail. */
export async function clearFailedLogins({ rateLimits, ip }: Context, email: string): Promise<void> {
  await rateLimits.forgetFrom('failed logins', FAILED_LOGINS, ip, email)
  await rateLimits.speedUp(GUESSES, email)
}

/** Counts a password that a signed-in user shows once more, like an attempt to sign in. */
export async function countConfirmation(ctx: UserContext): Promise<void> {
  const { email, id } = ctx.user
  await ctx.rateLimits.consumeFrom('failed logins', FAILED_LOGINS, ctx.ip, email)
  await ctx.rateLimits.slowDown(CONFIRMATIONS, id, () => isKnownPlace(ctx, email))
}

export async function forgetFailedConfirmations({ rateLimits, ip, user }: UserContext): Promise<void> {
  await rateLimits.forgetFrom('failed logins', FAILED_LOGINS, ip, user.email)
  await rateLimits.speedUp(CONFIRMATIONS, user.id)
}

/** Counts a mail that someone has sent to an address, known or not, so that nobody's inbox can be flooded. */
export function countMail({ rateLimits }: Context, kind: 'activation' | 'reset', email: string): Promise<void> {
  return rateLimits.consume(`${kind} mails`, MAILS, email)
}

/**
 * Counts a try at the second factor before it is looked at, for the account alone: whoever tries has the password, and
 * could come from anywhere. `forgetWrongCodes` takes it back.
 */
export function countCode({ rateLimits }: Context, userId: string): Promise<void> {
  return rateLimits.consume('wrong codes', WRONG_CODES, userId)
}

export function forgetWrongCodes({ rateLimits }: Context, userId: string): Promise<void> {
  return rateLimits.forget('wrong codes', WRONG_CODES, userId)
}

/** Counts a change of address: each sends a mail to an address that its user only claims to have. */
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
