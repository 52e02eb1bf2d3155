import type { getDashboard as call } from '@alcove/contract/billing'
import type { ResponseOf } from '@alcove/contract/call'
import type Stripe from 'stripe'
import type { UserContext } from '../../context.ts'
import { formatTime } from '../../platform/iso-time.ts'
import { toDollars } from './money.ts'
import { isRunning } from './subscriptions/subscription-state.ts'

type Billing = Pick<ResponseOf<typeof call>, 'billing_history' | 'payment_method'>

/** A page waits no longer for what it can do without. */
const PROVIDER_TIMEOUT = 4_000
const OPTIONS = { maxNetworkRetries: 0 }
const MAX_INVOICES = 36

/** Invoices and card of a customer; undefined when the card provider does not say in time. */
export async function readBilling({ payments, log }: UserContext, customerId: string): Promise<Billing | undefined> {
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), PROVIDER_TIMEOUT)
  const requested = payments
    .ask((stripe) => askForBilling(stripe, customerId))
    .catch((error: unknown) => {
      log.warn({ err: error }, 'the account screen goes without the card provider')
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
