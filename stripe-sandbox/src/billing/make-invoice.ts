import { emit } from '../events.ts'
import { getCustomer, keepCustomer } from '../resources/customers.ts'
import type { Kept } from '../store.ts'
import type { Invoice, InvoiceLine, Metadata } from '../stripe-objects.ts'
import { newId, randomText } from '../text.ts'
import type { World } from '../world.ts'

interface InvoiceOptions {
  customerId: string
  lines: InvoiceLine[]
  currency: string
  reason: NonNullable<Invoice['billing_reason']>
  subscription?: { id: string; metadata: Metadata }
  metadata?: Metadata
  period?: { start: number; end: number }
  /** As with Stripe, a one-time purchase at a checkout doesn't use the customer's credit. */
  isCreditKept?: boolean
}

/** Creates and finalizes an invoice. Uses the customer's credit; a negative total becomes credit. */
export function makeInvoice(world: World, options: InvoiceOptions): Kept<'invoice'> {
  const customer = getCustomer(world, options.customerId)
  const before = structuredClone(customer.body)
  const number = customer.body.next_invoice_sequence ?? 1
  const body = newInvoice(world, customer, options)
  body.number = `${customer.body.invoice_prefix}-${String(number).padStart(4, '0')}`
  const hidden = { pdfToken: randomText(40), failures: 0 }
  body.invoice_pdf = `${world.pagesUrl}/invoices/${hidden.pdfToken}/pdf`
  customer.body.next_invoice_sequence = number + 1
  customer.body.balance = body.ending_balance ?? 0
  customer.body.currency = body.currency
  keepCustomer(world, customer, before)
  world.store.keep(body, hidden, { customer: options.customerId, lookup: options.subscription?.id ?? null })
  emit(world, 'invoice.created', body)
  emit(world, 'invoice.finalized', body)
  return { body, hidden }
}

function newInvoice(world: World, { body: customer }: Kept<'customer'>, options: InvoiceOptions): Invoice {
  const { lines, subscription } = options
  const id = newId('in')
  const now = world.clock.now()
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  const credit = options.isCreditKept ? 0 : customer.balance
  const due = Math.max(0, total + credit)
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Alcove',
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: options.reason,
    collection_method: 'charge_automatically',
    created: now,
    currency: options.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: now,
    ending_balance: options.isCreditKept ? customer.balance : Math.min(0, total + credit),
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: {
      object: 'list',
      data: lines.map((line) => ({ ...line, invoice: id })),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: options.metadata ?? {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: subscription
      ? {
          quote_details: null,
          subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
          type: 'subscription_details',
        }
      : null,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: options.period?.end ?? now,
    period_start: options.period?.start ?? now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: customer.balance,
    statement_descriptor: null,
    status: 'open',
    status_transitions: { finalized_at: now, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: now,
  }
}

export function voidInvoice(world: World, { body, hidden }: Kept<'invoice'>): void {
  body.status = 'void'
  body.auto_advance = false
  body.next_payment_attempt = null
  body.status_transitions.voided_at = world.clock.now()
  world.store.keep(body, hidden, { dueAt: null })
  emit(world, 'invoice.voided', body)
}
