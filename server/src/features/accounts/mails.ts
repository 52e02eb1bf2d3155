import { ACTIVATION_TTL, RESET_TTL } from '@alcove/contract/limits'
import { z } from 'zod'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { OneTimeTokenTable, UserRow } from '../../platform/db/tables.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { activationMail, passwordChangedMail, resetMail } from '../../platform/mail/templates.ts'
import { issueToken } from './one-time-tokens.ts'

type Write = (services: Services, user: UserRow) => Promise<Mail | undefined>

/** The mails of this area, each a kind of job. A token is made as its mail is sent, so that none lies in the queue. */
const mails = {
  'activation mail': async (services, user) => {
    if (user.activated_at !== null) return undefined
    const token = await issue(services, user, 'activation', ACTIVATION_TTL)
    return activationMail({ to: user.email, publicUrl: services.config.publicUrl, token })
  },
  'reset mail': async (services, user) => {
    const token = await issue(services, user, 'reset', RESET_TTL)
    return resetMail({ to: user.email, publicUrl: services.config.publicUrl, token })
  },
  'password changed mail': async ({ config }, user) =>
    passwordChangedMail({ to: user.email, supportEmail: config.supportEmail }),
} satisfies Record<string, Write>

const payload = z.object({ userId: z.string().nullable() })

export function handleMailJobs(services: Services): void {
  for (const [kind, write] of Object.entries<Write>(mails)) {
    services.jobs.handle(kind, async (job) => {
      const { userId } = payload.parse(job)
      const user = userId === null ? undefined : await findUser(services, userId)
      const mail = user && (await write(services, user))
      if (mail) await services.mailer.send(mail)
    })
  }
}

/**
 * Queues a mail in the transaction of the change that it is about. For an unknown address too something is queued, and
 * nothing comes of it: so the answer takes as long as for a known one.
 */
export function queueMail(
  services: Services,
  tx: Tx,
  kind: keyof typeof mails,
  userId: string | undefined,
): Promise<void> {
  return services.jobs.enqueue(tx, kind, { userId: userId ?? null })
}

/** After the change: sends what was queued. An answer never waits for a mail server, whose time would tell on it. */
export async function sendQueuedMails({ mailer, jobs }: Services): Promise<void> {
  const sent = jobs.runDue()
  if (mailer.isImmediate) await sent
}

function findUser(services: Services, id: string): Promise<UserRow | undefined> {
  return services.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

function issue({ db, clock }: Services, user: UserRow, kind: OneTimeTokenTable['kind'], ttl: number): Promise<string> {
  return issueToken(db, { userId: user.id, kind, expiresAt: clock.now() + ttl })
}
