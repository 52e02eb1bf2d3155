import {
  FAILED_LOGIN_WINDOW,
  MAIL_WINDOW,
  MAX_FAILED_LOGINS,
  MAX_MAILS_PER_ADDRESS,
  MAX_WRONG_CODES,
  WRONG_CODE_WINDOW,
} from '@alcove/contract/limits'
import type { Context } from '../../context.ts'
import { callerOf } from '../../platform/http/network-of.ts'

const FAILED_LOGINS = { points: MAX_FAILED_LOGINS, seconds: FAILED_LOGIN_WINDOW / 1000 }
const MAILS = { points: MAX_MAILS_PER_ADDRESS, seconds: MAIL_WINDOW / 1000 }
const EMAIL_CHANGES = { points: MAX_MAILS_PER_ADDRESS, seconds: MAIL_WINDOW / 1000 }
const WRONG_CODES = { points: MAX_WRONG_CODES, seconds: WRONG_CODE_WINDOW / 1000 }

/**
 * Counts an attempt to sign in, before its password is looked at, so that many at once are not more than the limit
 * allows; `forgetFailedLogins` takes back what turns out to be the user.
 */
export function countLogin({ rateLimits, ip }: Context, email: string): Promise<void> {
  return rateLimits.consume('failed logins', FAILED_LOGINS, `${email} ${callerOf(ip)}`)
}

export function forgetFailedLogins({ rateLimits, ip }: Context, email: string): Promise<void> {
  return rateLimits.forget('failed logins', FAILED_LOGINS, `${email} ${callerOf(ip)}`)
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
