import type { ErrorCode } from '@alcove/contract/errors'
import type { Context, UserContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { unmapped } from './http/client-address.ts'

/** Failed attempts, which fail2ban counts. docs/operations/security-log.md describes every event. */
const failures = {
  sign_in_failed: 'Sign-in failed: wrong password or unknown address.',
  code_failed: 'A two-factor or recovery code was wrong.',
  passkey_failed: 'A passkey was refused.',
  provider_failed: 'A sign-in through an OpenID Connect provider was refused.',
  password_failed: 'A password was wrong where it had to be confirmed.',
  app_password_failed: 'An app password was wrong.',
  link_password_failed: 'The password of a public link was wrong.',
  mail_link_failed: 'A link from a mail was invalid or expired.',
  attempts_limited: 'Too many attempts: refused before anything was checked.',
} as const

const changes = {
  registered: 'An account was registered.',
  activated: 'An address was confirmed.',
  signed_in: 'A user signed in.',
  signed_out: 'A user signed out.',
  signed_out_at_provider: 'A user signed out at an OpenID Connect provider, which ended their sessions here.',
  session_confirmed: 'A user confirmed with their password, a passkey or a provider that a session is theirs.',
  session_ended: 'A user ended one of their sessions.',
  other_sessions_ended: 'A user ended all their other sessions.',
  password_reset_requested: 'A password reset was requested.',
  password_reset: 'A password was reset by mail.',
  password_changed: 'A password was changed.',
  email_changed: 'An address was changed; the new one is not confirmed yet.',
  two_factor_on: 'Two-factor sign-in was turned on.',
  two_factor_off: 'Two-factor sign-in was turned off.',
  recovery_codes_renewed: 'Recovery codes were replaced.',
  passkey_added: 'A passkey was added.',
  identity_linked: 'An account was linked to an OpenID Connect provider.',
  identity_unlinked: 'The link of an account to an OpenID Connect provider was removed.',
  passkey_removed: 'A passkey was removed.',
  app_password_created: 'An app password was created.',
  app_password_revoked: 'An app password was revoked.',
  mass_deletion: 'An app deleted many files within a short time.',
  malware_received: 'A visitor of a link sent a file in which the scanner found something.',
  data_exported: 'A download of all data of an account was requested.',
  account_deleted: 'An account was deleted by its user.',
} as const

type Failure = keyof typeof failures
type Change = keyof typeof changes
type SecurityEvent = Failure | Change

/** The subject of an event: an account by its email address, or the item of a public link. */
interface Subject {
  account?: string
  item?: string
}

type Caller = Pick<Context, 'log' | 'ip'>

/**
 * Writes one line about a security event. The event and the caller's IP address come first and in this order, because log
 * filters rely on it. Values that a caller chooses are JSON-encoded, so they can't imitate these fields.
 */
export function logSecurity({ log, ip }: Caller, event: SecurityEvent, subject: Subject): void {
  const line = { security: event, address: unmapped(ip), ...subject }
  if (event in failures) log.warn(line, failures[event as Failure])
  else log.info(line, changes[event as Change])
}

const failureOf: Partial<Record<ErrorCode, Failure>> = {
  incorrect_credentials: 'sign_in_failed',
  wrong_code: 'code_failed',
  passkey_refused: 'passkey_failed',
  sign_in_refused: 'provider_failed',
  wrong_password: 'password_failed',
  too_many_requests: 'attempts_limited',
}

/** The refusals that are already logged. A refusal can pass several nested handlers, but is logged only once. */
const logged = new WeakSet<Error>()

/** Logs a refusal if it is a failed attempt. Other errors are not security events. */
function logRefusal(caller: Caller, error: unknown, subject: Subject): void {
  if (!(error instanceof AppError) || logged.has(error)) return
  const event = failureOf[error.code]
  if (event === undefined) return
  logged.add(error)
  logSecurity(caller, event, subject)
}

/** Runs an attempt and logs its refusal. */
export async function loggingRefusals<T>(caller: Caller, subject: Subject, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    logRefusal(caller, error, subject)
    throw error
  }
}

/** Wraps an operation of a signed-in user, so that success is logged as an event and a refusal as a failed attempt. */
export function securityEvent<Input, Result>(
  event: Change,
  operation: (ctx: UserContext, input: Input) => Promise<Result>,
): (ctx: UserContext, input: Input) => Promise<Result> {
  return async (ctx, input) => {
    const subject = { account: ctx.user.email }
    const result = await loggingRefusals(ctx, subject, () => operation(ctx, input))
    logSecurity(ctx, event, subject)
    return result
  }
}
