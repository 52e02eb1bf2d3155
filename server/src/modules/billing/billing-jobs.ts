import { FREE_PLAN } from '@alcove/contract/plans'
import type { Services } from '../../context.ts'
import type { UserRow } from '../../platform/db/tables.ts'
import { paymentFailedMail, planEndedMail, receiptMail } from '../../platform/mail/billing-mails.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { END_CUSTOMER } from '../../platform/payments/end-customer.ts'
import { endCustomer } from './subscriptions/end-customer.ts'

type Details<Write extends (details: never) => Mail> = Omit<Parameters<Write>[0], 'to' | 'publicUrl'>

/** The work of this area that is queued: mails about payments, and the end of a customer whose account was deleted. */
export function handleBillingJobs(services: Services): void {
  const { jobs } = services
  jobs.handle(
    'receipt mail',
    send(services, (common, details: Details<typeof receiptMail>) => receiptMail({ ...common, ...details })),
  )
  jobs.handle(
    'payment failed mail',
    send(services, (common, details: Details<typeof paymentFailedMail>) =>
      paymentFailedMail({ ...common, ...details }),
    ),
  )
  jobs.handle(
    'plan ended mail',
    send(services, (common, details: Details<typeof planEndedMail>, user) =>
      planEndedMail({ ...common, ...details, usedBytes: user.used_bytes, allocatedBytes: FREE_PLAN.allocation }),
    ),
  )
  jobs.handle(END_CUSTOMER, (payload) => endCustomer(services, payload), { isNeverGivenUp: true })
}

function send<F>(
  { db, mailer, config }: Services,
  write: (common: { to: string; publicUrl: string }, details: F, user: UserRow) => Mail,
): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const { userId, ...details } = payload as { userId: string }
    const user = await db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (user) await mailer.send(write({ to: user.email, publicUrl: config.publicUrl }, details as F, user))
  }
}
