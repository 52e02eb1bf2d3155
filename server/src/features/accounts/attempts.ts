import { FAILED_LOGIN_WINDOW, MAIL_WINDOW, MAX_FAILED_LOGINS, MAX_MAILS_PER_ADDRESS } from '@alcove/contract/limits'
import type { Context } from '../../context.ts'

const FAILED_LOGINS = { points: MAX_FAILED_LOGINS, seconds: FAILED_LOGIN_WINDOW / 1000 }
const MAILS = { points: MAX_MAILS_PER_ADDRESS, seconds: MAIL_WINDOW / 1000 }

/**
 * Counts an attempt to sign in, before its password is looked at, so that many at once are not more than the limit
 * allows; `forgetFailedLogins` takes back what turns out to be the user.
 */
export function countLogin({ rateLimits, ip }: Context, email: string): Promise<void> {
  return rateLimits.consume('failed logins', FAILED_LOGINS, `${email} ${ip}`)
}

export function forgetFailedLogins({ rateLimits, ip }: Context, email: string): Promise<void> {
  return rateLimits.forget('failed logins', FAILED_LOGINS, `${email} ${ip}`)
}

/** Counts a mail that a visitor has sent to an address, known or not, so that nobody's inbox can be flooded. */
export function countMail({ rateLimits }: Context, kind: 'activation' | 'reset', email: string): Promise<void> {
  return rateLimits.consume(`${kind} mails`, MAILS, email)
}
