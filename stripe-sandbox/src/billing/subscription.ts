import { differences, emit } from '../events.ts'
import type { Kept } from '../store.ts'
import type { Metadata, Plan, Price, Subscription, SubscriptionItem } from '../stripe-objects.ts'
import { newId } from '../text.ts'
import type { World } from '../world.ts'
import { type BillingInterval, periodEnd } from './arithmetic.ts'

export interface SubscriptionOptions {
  customerId: string
  price: Price
  quantity: number
  metadata: Metadata
  description: string | null
  cardId: string | null
  now: number
}

/** Returns a new subscription that isn't paid yet. */
export function newSubscription(options: SubscriptionOptions): Subscription {
  const { price, now } = options
  const id = newId('sub')
  const item: SubscriptionItem = {
    id: newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: periodEnd(now, now, intervalOf(price)),
    current_period_start: now,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity: options.quantity,
    subscription: id,
    tax_rates: [],
  }
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: 'classic' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: price.currency,
    customer: options.customerId,
    customer_account: null,
    days_until_due: null,
    default_payment_method: options.cardId,
    default_source: null,
    default_tax_rates: [],
    description: options.description,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: { object: 'list', data: [item], has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: options.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'incomplete',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
    trial_start: null,
  }
}

export function intervalOf({ recurring }: Price): BillingInterval {
  if (!recurring) throw new Error('A price of a subscription recurs.')
  return recurring as BillingInterval
}

/** Returns the price as a plan, the older form that a subscription item has too. */
export function planOf(price: Price): Plan {
  const { interval, interval_count } = intervalOf(price)
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval,
    interval_count,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

/** Seconds that a subscription waits for its first payment. */
const INCOMPLETE_FOR = 23 * 3600

/** Returns the item of a subscription. In the sandbox each has exactly one. */
export function itemOf({ items }: Subscription): SubscriptionItem {
  const [item] = items.data
  if (!item) throw new Error('A subscription has an item.')
  return item
}

export function isEnded({ status }: Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired'
}

/** Stores a subscription, and emits an event if it changed. */
export function keepSubscription(world: World, { body, hidden }: Kept<'subscription'>, before: Subscription): void {
  world.store.keep(body, hidden, { dueAt: dueAtOf(body) })
  const changed = differences(before, body)
  if (changed) emit(world, 'customer.subscription.updated', body, changed)
}

/** Returns when a subscription expires, renews or ends. */
export function dueAtOf(body: Subscription): number | null {
  if (isEnded(body)) return null
  return body.status === 'incomplete' ? body.created + INCOMPLETE_FOR : itemOf(body).current_period_end
}

/** Returns the card that pays for a subscription: its own, else the customer's default. */
export function cardFor(world: World, { customer, default_payment_method }: Subscription): string | null {
  const cards = [
    default_payment_method,
    world.store.find('customer', customer)?.body.invoice_settings?.default_payment_method,
  ]
  const usable = cards.find(
    (id) => typeof id === 'string' && world.store.find('payment_method', id)?.body.customer === customer,
  )
  return (usable as string | undefined) ?? null
}

/** Ends a subscription. Its open invoices stay open but are not collected any more. */
export function cancelNow(
  world: World,
  { body, hidden }: Kept<'subscription'>,
  reason: 'cancellation_requested' | 'payment_failed',
): void {
  const { store, clock } = world
  body.status = 'canceled'
  body.canceled_at ??= clock.now()
  body.ended_at = clock.now()
  body.cancellation_details = {
    comment: null,
    feedback: null,
    feedback_option: null,
    ...body.cancellation_details,
    reason,
  }
  hidden.pendingLines = []
  store.keep(body, hidden, { dueAt: null })
  for (const invoice of store.list('invoice', { lookup: body.id })) {
    if (invoice.body.status !== 'open') continue
    invoice.body.auto_advance = false
    invoice.body.next_payment_attempt = null
    store.keep(invoice.body, invoice.hidden, { dueAt: null })
    emit(world, 'invoice.updated', invoice.body)
  }
  emit(world, 'customer.subscription.deleted', body)
}
