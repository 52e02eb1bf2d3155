import { isPast } from '../cards.ts'
import { emit } from '../events.ts'
import type { Parameters } from '../http/parameters.ts'
import { missing } from '../http/stripe-error.ts'
import { getCustomer } from '../resources/customers.ts'
import type { Kept } from '../store.ts'
import type { Decline, Metadata, PaymentIntent } from '../stripe-objects.ts'
import { newId, randomText } from '../text.ts'
import type { World } from '../world.ts'

interface ChargeOptions {
  amount: number
  currency: string
  customerId: string
  cardId: string | null
  description: string
  metadata?: Metadata
  futureUsage?: boolean
  /** Whether a renewal is charged. The portal can make renewals fail for a test. */
  isRenewal?: boolean
  /** The payment intent of an earlier attempt that failed. */
  paymentIntentId?: string
}

interface ChargeResult {
  paymentIntent: PaymentIntent
  decline?: Decline
}

/** Charges a card, and returns the decline if there is one. */
export function chargeCard(world: World, options: ChargeOptions): ChargeResult {
  const { store } = world
  const card = options.cardId ? store.find('payment_method', options.cardId) : undefined
  const decline = findDecline(world, options, card)
  const present = options.paymentIntentId && store.find('payment_intent', options.paymentIntentId)?.body
  const paymentIntent = present || newPaymentIntent(world, options)
  paymentIntent.payment_method = decline ? null : (card?.body.id ?? null)
  paymentIntent.status = decline ? 'requires_payment_method' : 'succeeded'
  paymentIntent.amount_received = decline ? 0 : options.amount
  paymentIntent.last_payment_error = decline
    ? {
        type: 'card_error',
        code: decline.code as 'card_declined',
        message: decline.message,
        ...(decline.declineCode && { decline_code: decline.declineCode }),
      }
    : null
  store.keep(paymentIntent, {}, { customer: options.customerId })
  emit(world, decline ? 'payment_intent.payment_failed' : 'payment_intent.succeeded', paymentIntent)
  return { paymentIntent, decline }
}

function findDecline(
  world: World,
  { customerId, isRenewal }: ChargeOptions,
  card: Kept<'payment_method'> | undefined,
): Decline | undefined {
  if (!card) return { code: 'missing_payment_method', message: 'There is no card to charge.' }
  const { card: details } = card.body
  if (details && isPast(details.exp_month, details.exp_year, world.clock.now())) {
    return { code: 'expired_card', message: 'Your card has expired.' }
  }
  if (card.hidden.card.onCharge) return card.hidden.card.onCharge
  const customer = getCustomer(world, customerId)
  if (!isRenewal || !customer.hidden.renewals) return undefined
  if (customer.hidden.renewals === 'fail_once') {
    delete customer.hidden.renewals
    world.store.keep(customer.body, customer.hidden)
  }
  return { code: 'card_declined', declineCode: 'generic_decline', message: 'Your card was declined.' }
}

function newPaymentIntent(world: World, options: ChargeOptions): PaymentIntent {
  const id = newId('pi')
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: options.amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${randomText(24)}`,
    confirmation_method: 'automatic',
    created: world.clock.now(),
    currency: options.currency,
    customer: options.customerId,
    customer_account: null,
    description: options.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: options.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: options.futureUsage ? 'off_session' : null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  }
}

export function getPaymentIntent(world: World, id: string): Kept<'payment_intent'> {
  const kept = world.store.find('payment_intent', id)
  if (!kept) throw missing('payment_intent', id, 'intent')
  return kept
}

export function updatePaymentIntent(world: World, id: string, params: Parameters): PaymentIntent {
  const { body, hidden } = getPaymentIntent(world, id)
  body.metadata = params.metadata(body.metadata)
  if (params.has('description')) body.description = params.text('description') || null
  world.store.keep(body, hidden)
  return body
}
