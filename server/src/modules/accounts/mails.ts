import { ACTIVATION_TTL, MAIL_WINDOW, MAX_MAILS_TO_ADDRESS, RESET_TTL } from '@alcove/contract/limits'
import type { Services } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { UserRow } from '../../platform/db/tables.ts'
import {
  activationMail,
  confirmEmailMail,
  emailChangedMail,
  passwordChangedMail,
  resetMail,
} from '../../platform/mail/account-mails.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { newSignInMail, type SecurityChange, securityChangedMail } from '../../platform/mail/security-mails.ts'
import { issueToken } from './sign-in/one-time-tokens.ts'

const ALL_MAILS = { points: MAX_MAILS_TO_ADDRESS, seconds: MAIL_WINDOW / 1000 }

/** What each mail tells beyond whom it is for; kept in the queue, so never a secret. */
interface Details {
  'activation mail': object
  'reset mail': object
  'password changed mail': object
  'email changed mail': { oldEmail: string; newEmail: string }
  'new sign-in mail': { device: string; ip: string; at: number }
  'security changed mail': { change: SecurityChange }
}
type Kind = keyof Details
type Write<K extends Kind> = (services: Services, user: UserRow, details: Details[K]) => Promise<Mail | undefined>

/** The mails of this area, each a kind of job. A token is made as its mail is sent, so that none lies in the queue. */
const mails: { [K in Kind]: Write<K> } = {
  'activation mail': async (services, user) => {
    if (user.activated_at !== null) return undefined
    const token = await issueToken(services, user, 'activation', ACTIVATION_TTL)
    const write = user.email_changed_at === null ? activationMail : confirmEmailMail
    return write({ ...addressing(services, user), token })
  },
  'reset mail': async (services, user) => {
    const token = await issueToken(services, user, 'reset', RESET_TTL)
    return resetMail({ ...addressing(services, user), token })
  },
  'password changed mail': async (services, user) => notice(services, user, passwordChangedMail),
  'email changed mail': async (services, user, { oldEmail, newEmail }) =>
    emailChangedMail({ ...addressing(services, user), to: oldEmail, newEmail }),
  'new sign-in mail': async (services, user, details) =>
    notice(services, user, (to) => newSignInMail({ ...to, ...details })),
  'security changed mail': async (services, user, details) =>
    notice(services, user, (to) => securityChangedMail({ ...to, ...details })),
}

/** Notices go to the address that was confirmed last: an address that is only claimed may be a stranger's. */
function notice(
  services: Services,
  user: UserRow,
  write: (to: ReturnType<typeof addressing>) => Mail,
): Mail | undefined {
  const { confirmed_email: to } = user
  return to === null ? undefined : write({ ...addressing(services, user), to })
}

function addressing({ config }: Services, user: UserRow) {
  return { to: user.email, publicUrl: config.publicUrl, supportEmail: config.supportEmail }
}

export function handleMailJobs(services: Services): void {
  for (const [kind, write] of Object.entries(mails)) {
    services.jobs.handle(kind, async (job) => {
      const { userId, ...details } = job as { userId: string | null }
      const user = userId === null ? undefined : await findUser(services, userId)
      const mail = user && (await write(services, user, details as never))
      if (mail && (await mayReceive(services, mail))) await services.mailer.send(mail)
    })
  }
}

/**
 * Counts a mail to its recipient, over all kinds of mails: nobody's inbox can be flooded, whatever sets them off. Those
 * that a user asks for have narrower limits of their own, which are told.
 */
async function mayReceive({ rateLimits, log }: Services, { to, kind }: Mail): Promise<boolean> {
  try {
    await rateLimits.consume('mails to an address', ALL_MAILS, to)
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.warn({ kind }, 'a mail was not sent: its recipient has had too many in the last hour')
    return false
  }
}

/**
 * Queues a mail in the transaction of the change that it is about. For an unknown address too something is queued, and
 * nothing comes of it: so the response takes as long as for a known one.
 */
export function queueMail<K extends Kind>(
  services: Pick<Services, 'jobs'>,
  tx: Tx,
  kind: K,
  userId: string | undefined,
  ...[details]: object extends Details[K] ? [] : [Details[K]]
): Promise<void> {
  return services.jobs.enqueue(tx, kind, { userId: userId ?? null, ...details })
}

/**
 * After the change: sends what was queued, past all other work that is due, which may be a million files that somebody has
 * deleted. A response never waits for a mail server, whose time would tell on it.
 */
export async function sendQueuedMails({ mailer, jobs }: Services): Promise<void> {
  const sent = jobs.runDueOf(Object.keys(mails))
  if (mailer.isImmediate) await sent
}

function findUser(services: Services, id: string): Promise<UserRow | undefined> {
  return services.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}
