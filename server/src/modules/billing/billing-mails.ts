import { PAYMENT_GRACE } from '@alcove/contract/limits'
import { FREE_PLAN, planNameOf } from '@alcove/contract/plans'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { BillingCustomerRow, UserRow } from '../../platform/db/tables.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import type { Brand } from '../../platform/mail/brand.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { defaultQuotaSetting, plansSetting, readBrand, readSetting } from '../site/index.ts'
import { planOf } from './catalogue/catalogue.ts'
import { type PlanEndReason, paymentFailedMail, planEndedMail, planEndReasons, receiptMail } from './letters.ts'
import type { CurrentPlan } from './subscriptions/current-plan.ts'
import { idOf, openInvoices, type Subscribed, type SubscriptionState } from './subscriptions/subscription-state.ts'

/** The cancellation comment of a subscription whose owner went back to the free plan. */
export const REVERTED = 'reverted'
/** The cancellation comment of a subscription that ended because it wasn't paid. */
export const UNPAID = 'unpaid'

/** Older invoices are not news, so they cause no mail. */
const NEWS = 35 * 24 * 3_600_000

interface Change {
  user: UserRow
  /** The row before the change. */
  row: BillingCustomerRow
  subscriptionState: SubscriptionState | undefined
  current: CurrentPlan
}

/**
 * Queues the mails about a change in the transaction of the change. Receipts and warnings belong to an invoice, and the
 * mail about the end of a plan to a subscription. A row records that each was sent.
 */
export async function queueBillingMails(services: Services, tx: Tx, change: Change): Promise<void> {
  const { user, subscriptionState } = change
  const userId = user.id
  const since = services.clock.now() - NEWS
  for (const invoice of subscriptionState?.invoices ?? []) {
    const { id, status, amount_paid: total, currency, created, invoice_pdf, number } = invoice
    if (status !== 'paid' || total <= 0 || created * 1000 < since) continue
    if (!(await claimMail(tx, userId, `receipt ${id}`))) continue
    const planName = await nameOfPaid({ ...services, db: tx }, invoice, subscriptionState?.subscriptions ?? [])
    const details = { userId, number: number ?? id, total, currency, planName, pdfUrl: invoice_pdf ?? null }
    await services.jobs.enqueue(tx, receiptMailJob, details)
  }
  await queueWarning(services, tx, change)
  await queueFarewell(services, tx, change)
}

async function queueFarewell(services: Services, tx: Tx, change: Change): Promise<void> {
  const { user, row, current } = change
  const { id: userId, plan_name: planName } = user
  if (user.plan_id === 0 || current.plan || (row.subscription_id === null && row.lifetime_plan_id === null)) return
  // A lifetime plan may be bought and given up repeatedly. A subscription ends only once, even if two servers disagree
  // about the time.
  const about = row.subscription_id ?? `lifetime ${row.synced_version}`
  if (!(await claimMail(tx, userId, `ended ${about}`))) return
  await services.jobs.enqueue(tx, planEndedMailJob, { userId, planName, reason: reasonOf(change) })
}

async function queueWarning(services: Services, tx: Tx, { user, subscriptionState, current }: Change): Promise<void> {
  const { subscription } = current
  if (current.status !== 'past_due' || !subscriptionState || !subscription?.unpaidSince) return
  const [invoice] = openInvoices(subscriptionState.invoices, subscription.id)
  if (!invoice || !(await claimMail(tx, user.id, `failed ${invoice.id}`))) return
  await services.jobs.enqueue(tx, paymentFailedMailJob, {
    userId: user.id,
    planName: planNameOf(subscription.plan),
    amount: invoice.amount_remaining,
    currency: invoice.currency,
    graceUntil: subscription.unpaidSince + PAYMENT_GRACE,
  })
}

/** Records that a mail is sent. Returns false if it was sent before. */
async function claimMail(tx: Tx, userId: string, about: string): Promise<boolean> {
  const claimed = await tx
    .insertInto('billing_mails')
    .values({ user_id: userId, about })
    .onConflict((conflict) => conflict.doNothing())
    .returning('about')
    .executeTakeFirst()
  return claimed !== undefined
}

async function nameOfPaid(
  services: Services,
  invoice: Stripe.Invoice,
  subscriptions: readonly Subscribed[],
): Promise<string> {
  const id = idOf(invoice.parent?.subscription_details?.subscription)
  const plan = subscriptions.find((one) => one.id === id)?.plan
  const planId = invoice.metadata?.planId
  if (plan) return planNameOf(plan)
  return planId ? planNameOf(await planOf(services, planId)) : (invoice.lines.data[0]?.description ?? 'Alcove')
}

function reasonOf({ row, subscriptionState }: Change): PlanEndReason {
  if (row.subscription_id === null) return 'reverted'
  const ended = subscriptionState?.subscriptions.find(({ id }) => id === row.subscription_id)?.endedFor
  if (ended === REVERTED) return 'reverted'
  return row.past_due_since !== null || ended === UNPAID || ended === 'payment_failed' ? 'payment_failed' : 'canceled'
}

const toUser = z.object({ userId: z.string() })

const receiptMailJob = defineJob(
  'receipt mail',
  toUser.extend({
    number: z.string(),
    total: z.number(),
    currency: z.string(),
    planName: z.string(),
    pdfUrl: z.string().nullable(),
  }),
  (services, { userId, ...details }) => sendTo(services, userId, (common) => receiptMail({ ...common, ...details })),
)

const paymentFailedMailJob = defineJob(
  'payment failed mail',
  toUser.extend({ planName: z.string(), amount: z.number(), currency: z.string(), graceUntil: z.number() }),
  (services, { userId, ...details }) =>
    sendTo(services, userId, (common) => paymentFailedMail({ ...common, ...details })),
)

const planEndedMailJob = defineJob(
  'plan ended mail',
  toUser.extend({ planName: z.string(), reason: z.enum(planEndReasons) }),
  async (services, { userId, ...details }) => {
    const { enabled: arePlansOn } = await readSetting(services, plansSetting)
    const quota = (await readSetting(services, defaultQuotaSetting)) ?? FREE_PLAN.allocation
    await sendTo(services, userId, (common, { used_bytes: usedBytes, own_quota }) =>
      planEndedMail({ ...common, ...details, usedBytes, allocatedBytes: own_quota ?? quota, arePlansOn }),
    )
  },
)

export const billingMailJobs = [receiptMailJob, paymentFailedMailJob, planEndedMailJob]

/** Sends a mail to a user, unless the account was deleted in the meantime. */
async function sendTo(
  services: Services,
  userId: string,
  write: (common: { to: string; publicUrl: string; brand: Brand }, user: UserRow) => Mail,
): Promise<void> {
  const { db, mailer, config } = services
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!user) return
  const brand = await readBrand(services)
  await mailer.send(write({ to: user.email, publicUrl: config.publicUrl, brand }, user))
}
