import { ACTIVATION_TTL, MAIL_WINDOW, MAX_MAILS_TO_ADDRESS, RESET_TTL } from '@alcove/contract/limits'
import { type NoticeData, securityChanges } from '@alcove/contract/notices'
import { z } from 'zod'
import type { Services } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { UserRow } from '../../platform/db/tables.ts'
import { type AnyJob, defineJob, type Job, type PayloadOf } from '../../platform/jobs/define-job.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { isMailed, notify } from '../notices/index.ts'
import { readBrand } from '../site/index.ts'
import {
  activationMail,
  confirmEmailMail,
  deletionCanceledMail,
  deletionMail,
  emailChangedMail,
  newSignInMail,
  passwordChangedMail,
  resetMail,
  securityChangedMail,
} from './letters.ts'
import { issueToken } from './sign-in/one-time-tokens.ts'

const ALL_MAILS = { points: MAX_MAILS_TO_ADDRESS, seconds: MAIL_WINDOW / 1000 }

/**
 * The mails of this module. Each is a job. Job payloads are stored in the queue and never hold a secret: a token is issued
 * only when its mail is sent.
 */
const mails = {
  'activation mail': mailJob('activation mail', {}, async (services, user) => {
    if (user.activated_at !== null || user.suspended_at !== null) return undefined
    const token = await issueToken(services, user, 'activation', ACTIVATION_TTL)
    const write = user.email_changed_at === null ? activationMail : confirmEmailMail
    return write({ ...(await addressing(services, user)), token })
  }),
  'reset mail': mailJob('reset mail', {}, async (services, user) => {
    if (user.suspended_at !== null) return undefined
    const token = await issueToken(services, user, 'reset', RESET_TTL)
    return resetMail({ ...(await addressing(services, user)), token })
  }),
  'password changed mail': mailJob('password changed mail', {}, async (services, user) =>
    notice(services, user, passwordChangedMail),
  ),
  'email changed mail': mailJob(
    'email changed mail',
    { oldEmail: z.string(), newEmail: z.string() },
    async (services, user, { oldEmail, newEmail }) =>
      emailChangedMail({ ...(await addressing(services, user)), to: oldEmail, newEmail }),
  ),
  'new sign-in mail': mailJob(
    'new sign-in mail',
    { device: z.string(), ip: z.string(), at: z.number() },
    async (services, user, details) =>
      (await isMailed(services.db, user.id, 'new_sign_in'))
        ? notice(services, user, (to) => newSignInMail({ ...to, ...details }))
        : undefined,
  ),
  'security changed mail': mailJob(
    'security changed mail',
    { change: z.enum(securityChanges) },
    async (services, user, details) =>
      (await isMailed(services.db, user.id, 'security_change'))
        ? notice(services, user, (to) => securityChangedMail({ ...to, ...details }))
        : undefined,
  ),
  'deletion mail': mailJob('deletion mail', { dueAt: z.number() }, async (services, user, { dueAt }) =>
    // It was canceled, or moved to another day.
    user.deletion_due_at === dueAt ? notice(services, user, (to) => deletionMail({ ...to, dueAt })) : undefined,
  ),
  'deletion canceled mail': mailJob('deletion canceled mail', {}, async (services, user) =>
    user.deletion_due_at === null ? notice(services, user, deletionCanceledMail) : undefined,
  ),
}

export const resetMailJob = mails['reset mail']
export const accountMailJobs: readonly AnyJob[] = Object.values(mails)

type Kind = keyof typeof mails
type Details<K extends Kind> = Omit<PayloadOf<(typeof mails)[K]>, 'userId'>

function mailJob<Shape extends z.ZodRawShape>(
  kind: string,
  details: Shape,
  write: (services: Services, user: UserRow, details: z.output<z.ZodObject<Shape>>) => Promise<Mail | undefined>,
): Job<{ userId: string | null } & z.output<z.ZodObject<Shape>>> {
  const schema = z.object({ userId: z.string().nullable(), ...details }) as unknown as z.ZodType<
    { userId: string | null } & z.output<z.ZodObject<Shape>>
  >
  return defineJob(kind, schema, async (services, payload) => {
    const user = payload.userId === null ? undefined : await findUser(services, payload.userId)
    const mail = user && (await write(services, user, payload))
    if (mail && (await mayReceive(services, mail))) await services.mailer.send(mail)
  })
}

/** Sends a notice to the last confirmed address, because an unconfirmed one may be a stranger's. */
async function notice(
  services: Services,
  user: UserRow,
  write: (to: Awaited<ReturnType<typeof addressing>>) => Mail,
): Promise<Mail | undefined> {
  const { confirmed_email: to } = user
  return to === null ? undefined : write({ ...(await addressing(services, user)), to })
}

async function addressing(services: Services, user: UserRow) {
  const brand = await readBrand(services)
  return { to: user.email, publicUrl: services.config.publicUrl, supportEmail: brand.supportEmail, brand }
}

/**
 * Counts a mail for its recipient across all kinds of mails, so that nobody's inbox can be flooded. Mails that a user
 * requests have lower limits, which report an error.
 */
export async function mayReceive({ rateLimits, log }: Services, { to, kind }: Mail): Promise<boolean> {
  try {
    await rateLimits.consume('mails to an address', ALL_MAILS, to)
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.warn({ kind }, 'a mail was not sent: its recipient got too many in the last hour')
    return false
  }
}

/**
 * Queues a mail in the transaction of its change. An unknown address queues a job that sends nothing, so that the
 * response takes as long as for a known one.
 */
export function queueMail<K extends Kind>(
  services: Pick<Services, 'jobs'>,
  tx: Tx,
  kind: K,
  userId: string | undefined,
  details: Details<K>,
): Promise<void> {
  const job: AnyJob = mails[kind]
  return services.jobs.enqueue(tx, job, { userId: userId ?? null, ...details })
}

/** Gives a notice about a change of how a user can sign in, and queues the mail, in the transaction of the change. */
export async function reportSecurityChange(
  services: Pick<Services, 'jobs' | 'clock'>,
  tx: Tx,
  userId: string,
  data: NoticeData<'security_change'>,
): Promise<void> {
  await notify(services, tx, userId, { kind: 'security_change', data })
  await queueMail(services, tx, 'security changed mail', userId, { change: data.change })
}

/**
 * Sends the queued mails after the change, before other due jobs. A response never waits for a mail server, because the
 * time would reveal whether an address is known.
 */
export async function sendQueuedMails({ mailer, jobs }: Services): Promise<void> {
  const sent = jobs.runDueOf(accountMailJobs)
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
