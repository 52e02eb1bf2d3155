import type { getDashboard as call } from '@alcove/contract/billing'
import type { ResponseOf } from '@alcove/contract/call'
import { calls } from '@alcove/contract/calls'
import { GIGABYTE, PAYMENT_GRACE } from '@alcove/contract/limits'
import type Stripe from 'stripe'
import type { UserContext } from '../../context.ts'
import type { BillingCustomerRow } from '../../platform/db/tables.ts'
import { formatTime } from '../../platform/format.ts'
import { endpoint } from '../../platform/http/api.ts'
import { findPlan } from './catalogue/catalogue.ts'
import { customerIdOf, findBilling } from './customers.ts'
import { portalUrl } from './portal.ts'
import { toDollars } from './prices.ts'
import { isRunning } from './subscriptions/subscription-state.ts'

type Subscription = ResponseOf<typeof calls.getDashboard>['subscription']

/**
 * Returns the last known subscription without asking anyone. The rest comes from the card provider, which gets only a
 * short time to respond.
 */
export const getDashboard = endpoint(calls.getDashboard, async (ctx) => {
  const row = await findBilling(ctx.db, ctx.user.id)
  const customerId = customerIdOf(row, ctx.payments)
  const subscription = await presentSubscription(ctx, row)
  if (customerId === undefined || ctx.payments.mode === 'off') {
    return { subscription, billing_history: [], payment_method: null, portal_url: null, providerUnavailable: false }
  }
  const billing = await readBilling(ctx, customerId)
  if (!billing) {
    return { subscription, billing_history: [], payment_method: null, portal_url: null, providerUnavailable: true }
  }
  return { subscription, ...billing, portal_url: portalUrl(ctx), providerUnavailable: false }
})

async function presentSubscription(
  { db, config, user }: UserContext,
  row: BillingCustomerRow | undefined,
): Promise<Subscription> {
  const { plan_id, plan_name, allocated_bytes } = await db
    .selectFrom('users')
    .select(['plan_id', 'plan_name', 'allocated_bytes'])
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  const plan = await findPlan({ db, config }, plan_id)
  // A granted plan costs nothing, and a lapsed one is no longer the user's.
  const paid = row && plan && row.plan_id === plan_id ? row : undefined
  const isRenewed = paid?.status === 'active' && paid.ends_at === null
  return {
    plan: plan_name,
    planId: plan_id,
    status: plan_id === 0 ? (row?.status === 'incomplete' ? 'incomplete' : 'free') : (paid?.status ?? 'active'),
    billing_cycle: plan?.period ?? 'N/A',
    storage_limit_gb: allocated_bytes / GIGABYTE,
    price: toDollars(paid?.price_in_cents ?? 0),
    next_billing_date: isRenewed ? toIsoTime(paid.period_end) : null,
    cancelAtPeriodEnd: paid ? paid.ends_at !== null : false,
    endsAt: toIsoTime(paid?.ends_at ?? null),
    graceUntil: paid?.past_due_since ? toIsoTime(paid.past_due_since + PAYMENT_GRACE) : null,
  }
}

function toIsoTime(at: number | null): string | null {
  return at === null ? null : formatTime(at)
}

type Billing = Pick<ResponseOf<typeof call>, 'billing_history' | 'payment_method'>

/** How long the page waits for optional data. */
const PROVIDER_TIMEOUT = 4_000
const OPTIONS = { maxNetworkRetries: 0 }
const MAX_INVOICES = 36

/** Returns invoices and card of a customer, or undefined if the card provider doesn't respond in time. */
async function readBilling({ payments, log }: UserContext, customerId: string): Promise<Billing | undefined> {
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), PROVIDER_TIMEOUT)
  const requested = payments
    .ask((stripe) => askForBilling(stripe, customerId))
    .catch((error: unknown) => {
      log.warn({ err: error }, 'the account page is shown without details from the card provider')
      return undefined
    })
  try {
    return await Promise.race([requested, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

async function askForBilling(stripe: Stripe, customer: string): Promise<Billing> {
  const card = 'default_payment_method'
  const [who, subscriptions, invoices] = await Promise.all([
    stripe.customers.retrieve(customer, { expand: [`invoice_settings.${card}`] }, OPTIONS),
    stripe.subscriptions.list({ customer, expand: [`data.${card}`], limit: 10 }, OPTIONS),
    stripe.invoices.list({ customer, limit: MAX_INVOICES }, OPTIONS),
  ])
  const subscription = subscriptions.data.find(({ status }) => isRunning({ status }))
  const ownCard = who.deleted ? null : who.invoice_settings.default_payment_method
  return {
    billing_history: invoices.data.filter(({ status }) => status !== 'draft').map(presentInvoice),
    payment_method: presentCard(subscription?.default_payment_method ?? ownCard),
  }
}

function presentInvoice(invoice: Stripe.Invoice): Billing['billing_history'][number] {
  return {
    id: invoice.id,
    number: invoice.number ?? invoice.id,
    total: toDollars(invoice.total),
    currency: invoice.currency,
    status: invoice.status ?? 'open',
    created: formatTime(invoice.created * 1000),
    is_prorated: invoice.lines.data.some(isProration),
    pdf_url: invoice.invoice_pdf ?? null,
  }
}

function isProration({ parent }: Stripe.InvoiceLineItem): boolean {
  return Boolean(parent?.subscription_item_details?.proration || parent?.invoice_item_details?.proration)
}

function presentCard(method: string | Stripe.PaymentMethod | null): Billing['payment_method'] {
  if (method === null || typeof method === 'string' || !method.card) return null
  const { brand, last4, exp_month, exp_year } = method.card
  return { brand, last4, exp_month, exp_year }
}
