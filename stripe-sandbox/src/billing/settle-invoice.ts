import { declineError } from '../cards.ts'
import { differences, emit } from '../events.ts'
import type { Parameters } from '../http/parameters.ts'
import { invalid, missing, type StripeError } from '../http/stripe-error.ts'
import type { Kept } from '../store.ts'
import type { Decline, Invoice, Metadata } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { chargeCard } from './payment-intents.ts'
import { cancelNow, cardFor, isEnded, keepSubscription } from './subscription.ts'

interface SettleOptions {
  /** The default is the card of the subscription or the customer. */
  cardId?: string
  isRenewal?: boolean
  /** Whether a failed payment is retried later. */
  isRetried?: boolean
}

/** Tries to collect an invoice and updates the state of its subscription. */
export function settleInvoice(
  world: World,
  invoice: Kept<'invoice'>,
  options: SettleOptions = {},
): Decline | undefined {
  const subscriptionId = subscriptionIdOf(invoice.body)
  const subscription = subscriptionId ? world.store.find('subscription', subscriptionId) : undefined
  const cardId = options.cardId ?? (subscription ? cardFor(world, subscription.body) : cardOfCustomer(world, invoice))
  const decline = attemptPayment(world, invoice, { ...options, cardId })
  if (!subscription || isEnded(subscription.body)) return decline
  const before = structuredClone(subscription.body)
  if (!decline) {
    if (!hasOpenInvoice(world, subscription.body.id)) subscription.body.status = 'active'
  } else if (options.isRetried) {
    if (invoice.body.next_payment_attempt === null) {
      cancelNow(world, subscription, 'payment_failed')
      return decline
    }
    subscription.body.status = 'past_due'
  }
  keepSubscription(world, subscription, before)
  return decline
}

function cardOfCustomer(world: World, { body }: Kept<'invoice'>): string | null {
  const customer = world.store.find('customer', body.customer as string)
  return (customer?.body.invoice_settings?.default_payment_method as string | null | undefined) ?? null
}

function hasOpenInvoice(world: World, subscriptionId: string): boolean {
  return world.store.list('invoice', { lookup: subscriptionId }).some(({ body }) => body.status === 'open')
}

const DAY = 86_400
/** Days after the first failure on which the card is charged again. After the last one the subscription ends. */
const RETRY_DAYS = [1, 3, 5, 7]

interface AttemptOptions extends Omit<SettleOptions, 'cardId'> {
  cardId: string | null
  /** Metadata of the payment intent. */
  metadata?: Metadata
}

/** Tries to collect an open invoice, and returns the decline if there is one. Leaves its subscription alone. */
export function attemptPayment(world: World, invoice: Kept<'invoice'>, options: AttemptOptions): Decline | undefined {
  const { body, hidden } = invoice
  const before = structuredClone(body)
  body.attempted = true
  if (body.amount_remaining > 0) {
    body.attempt_count++
    const { paymentIntent, decline } = chargeCard(world, {
      amount: body.amount_remaining,
      currency: body.currency,
      customerId: body.customer as string,
      cardId: options.cardId,
      description: `Invoice ${body.number}`,
      isRenewal: options.isRenewal,
      metadata: options.metadata,
      paymentIntentId: hidden.paymentIntent,
    })
    hidden.paymentIntent = paymentIntent.id
    if (decline) {
      if (options.isRetried) scheduleRetry(invoice, world.clock.now())
      world.store.keep(body, hidden, options.isRetried ? { dueAt: body.next_payment_attempt } : {})
      emit(world, 'invoice.payment_failed', body, differences(before, body))
      return decline
    }
  }
  body.status = 'paid'
  body.amount_paid = body.amount_due
  body.amount_remaining = 0
  body.auto_advance = false
  body.next_payment_attempt = null
  body.status_transitions.paid_at = world.clock.now()
  world.store.keep(body, hidden, { dueAt: null })
  emit(world, 'invoice.paid', body)
  emit(world, 'invoice.payment_succeeded', body)
  return undefined
}

function scheduleRetry({ body, hidden }: Kept<'invoice'>, now: number): void {
  hidden.firstFailureAt ??= now
  const days = RETRY_DAYS[hidden.failures++]
  body.next_payment_attempt = days === undefined ? null : hidden.firstFailureAt + days * DAY
}

/** Charges an open invoice again on the day that was scheduled. */
export function retryPayment(world: World, id: string): void {
  const invoice = world.store.find('invoice', id)
  if (invoice?.body.status !== 'open') return
  settleInvoice(world, invoice, { isRenewal: true, isRetried: true })
}

function subscriptionIdOf({ parent }: Invoice): string | undefined {
  return parent?.subscription_details?.subscription as string | undefined
}

export function getInvoice(world: World, id: string): Kept<'invoice'> {
  const kept = world.store.find('invoice', id)
  if (!kept) throw missing('invoice', id)
  return kept
}

/** Handles the API's call to pay an invoice. A decline is an error response, but the attempt is stored. */
export function payInvoice(world: World, id: string, params: Parameters): Invoice | StripeError {
  const invoice = getInvoice(world, id)
  const { status, customer } = invoice.body
  const cardId = params.text('payment_method')
  params.ignore('off_session')
  if (status === 'paid') throw invalid('Invoice is already paid', undefined, 'invoice_already_paid')
  if (status !== 'open') {
    throw invalid(`This invoice can't be paid because it is ${status}.`, undefined, 'invoice_not_editable')
  }
  if (cardId && world.store.find('payment_method', cardId)?.body.customer !== customer) {
    throw missing('PaymentMethod', cardId, 'payment_method', 400)
  }
  const decline = settleInvoice(world, invoice, { cardId })
  return decline ? declineError(decline) : invoice.body
}
