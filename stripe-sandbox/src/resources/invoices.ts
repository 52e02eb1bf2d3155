import { describeLine } from '../billing/describe-line.ts'
import { itemOf } from '../billing/keep-subscription.ts'
import { draftInvoice } from '../billing/make-invoice.ts'
import { makeLine } from '../billing/make-line.ts'
import { rhythmOf } from '../billing/new-subscription.ts'
import { periodEnd } from '../billing/periods.ts'
import { planChange } from '../billing/plan-change.ts'
import { settleInvoice } from '../billing/settle-invoice.ts'
import { voidInvoice } from '../billing/void-invoice.ts'
import { declineError } from '../cards/decline-error.ts'
import type { Parameters } from '../http/parameters.ts'
import { invalid, missing, type StripeError } from '../http/stripe-error.ts'
import type { Kept } from '../store/store.ts'
import type { Invoice, InvoicePayment } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { getCustomer } from './customers.ts'
import { readPriceChange } from './read-price-change.ts'
import { getRunningSubscription } from './subscriptions.ts'

export function getInvoice(world: World, id: string): Kept<'invoice'> {
  const kept = world.store.find('invoice', id)
  if (!kept) throw missing('invoice', id)
  return kept
}

/** A declined card is an error, and still an attempt that was made. */
export function payInvoice(world: World, id: string, params: Parameters): Invoice | StripeError {
  const invoice = getInvoice(world, id)
  const cardId = params.text('payment_method')
  params.ignore('off_session')
  assertOpen(invoice.body, 'paid')
  if (cardId && world.store.find('payment_method', cardId)?.body.customer !== invoice.body.customer) {
    throw missing('PaymentMethod', cardId, 'payment_method', 400)
  }
  const decline = settleInvoice(world, invoice, { cardId })
  return decline ? declineError(decline, { isKept: true }) : invoice.body
}

export function voidOpenInvoice(world: World, id: string): Invoice {
  const invoice = getInvoice(world, id)
  assertOpen(invoice.body, 'voided')
  voidInvoice(world, invoice)
  return invoice.body
}

function assertOpen({ status }: Invoice, verb: string): void {
  if (status === 'paid') throw invalid('Invoice is already paid', undefined, 'invoice_already_paid')
  if (status !== 'open') {
    throw invalid(`This invoice can't be ${verb} because it is ${status}.`, undefined, 'invoice_not_editable')
  }
}

/** What the next invoice would be, with or without a change. Nothing is stored but prices made for it. */
export function previewInvoice(world: World, params: Parameters): Invoice {
  const subscription = getRunningSubscription(world, params.requiredText('subscription'), 'subscription')
  const { body, hidden } = subscription
  const customer = getCustomer(world, params.text('customer') ?? body.customer, 'customer')
  if (customer.body.id !== body.customer) throw missing('subscription', body.id, 'subscription', 400)
  params.choice('preview_mode', ['next'])
  const details = params.group('subscription_details')
  const change = details && readPriceChange(world, subscription, details)
  const planned = change && planChange(world, body, change)
  const isNow = change !== undefined && (planned?.isNewPeriod || change.behavior === 'always_invoice')
  const lines = [...hidden.pendingLines, ...(planned?.lines ?? [])]
  const item = itemOf(body)
  if (!isNow) {
    const price = change?.price ?? item.price
    const quantity = change?.quantity ?? item.quantity ?? 1
    const start = item.current_period_end
    lines.push(
      makeLine({
        price,
        quantity,
        amount: (price.unit_amount ?? 0) * quantity,
        description: describeLine(world, price, quantity),
        period: { start, end: periodEnd(body.billing_cycle_anchor, start, rhythmOf(price)) },
        subscription: { id: body.id, itemId: item.id },
      }),
    )
  }
  const draft = draftInvoice(world, customer, {
    customerId: customer.body.id,
    currency: body.currency,
    lines,
    reason: 'upcoming',
    subscription: body,
  })
  return { ...draft, status: 'draft', effective_at: null, auto_advance: false }
}

/** How an invoice was or is to be paid. */
export function paymentsOf(world: World, { body, hidden }: Kept<'invoice'>): InvoicePayment[] {
  const paymentIntent = hidden.paymentIntent && world.store.find('payment_intent', hidden.paymentIntent)?.body
  if (!paymentIntent) return []
  const isPaid = body.status === 'paid'
  return [
    {
      id: paymentIntent.id.replace(/^pi_/, 'inpay_'),
      object: 'invoice_payment',
      amount_paid: isPaid ? body.amount_paid : null,
      amount_requested: body.amount_due,
      created: paymentIntent.created,
      currency: body.currency,
      invoice: body.id,
      is_default: true,
      livemode: false,
      payment: { payment_intent: paymentIntent.id, type: 'payment_intent' },
      status: isPaid ? 'paid' : body.status === 'void' ? 'canceled' : 'open',
      status_transitions: {
        canceled_at: body.status_transitions.voided_at,
        paid_at: body.status_transitions.paid_at,
      },
    },
  ]
}
