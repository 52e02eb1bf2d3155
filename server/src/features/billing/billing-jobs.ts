import { FREE_PLAN } from '@alcove/contract/plans'
import type { Services } from '../../context.ts'
import type { UserRow } from '../../platform/db/tables.ts'
import { paymentFailedMail, planEndedMail, receiptMail } from '../../platform/mail/billing-mails.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { END_CUSTOMER } from '../../platform/payments/end-customer.ts'
import { endCustomer } from './end-customer.ts'

type Facts<Write extends (facts: never) => Mail> = Omit<Parameters<Write>[0], 'to' | 'publicUrl'>

/** The work of this area that is queued: mails about payments, and the end of a customer whose account was deleted. */
export function handleBillingJobs(services: Services): void {
  const { jobs } = services
  jobs.handle(
    'receipt mail',
    send(services, (common, facts: Facts<typeof receiptMail>) => receiptMail({ ...common, ...facts })),
  )
  jobs.handle(
    'payment failed mail',
    send(services, (common, facts: Facts<typeof paymentFailedMail>) => paymentFailedMail({ ...common, ...facts })),
  )
  jobs.handle(
    'plan ended mail',
    send(services, (common, facts: Facts<typeof planEndedMail>, user) =>
      planEndedMail({ ...common, ...facts, usedBytes: user.used_bytes, allocatedBytes: FREE_PLAN.allocation }),
    ),
  )
  jobs.handle(END_CUSTOMER, (payload) => endCustomer(services, payload), { isNeverGivenUp: true })
}

function send<F>(
  { db, mailer, config }: Services,
  write: (common: { to: string; publicUrl: string }, facts: F, user: UserRow) => Mail,
): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const { userId, ...facts } = payload as { userId: string }
    const user = await db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (user) await mailer.send(write({ to: user.email, publicUrl: config.publicUrl }, facts as F, user))
  }
}
