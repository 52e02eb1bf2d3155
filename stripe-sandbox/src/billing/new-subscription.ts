import { newId } from '../ids.ts'
import type { Metadata, Plan, Price, Subscription, SubscriptionItem } from '../stripe-objects.ts'
import { periodEnd, type Rhythm } from './periods.ts'

export interface SubscriptionOptions {
  customerId: string
  price: Price
  quantity: number
  metadata: Metadata
  description: string | null
  cardId: string | null
  now: number
}

/** A subscription as it begins: not paid yet. */
export function newSubscription(options: SubscriptionOptions): Subscription {
  const { price, now } = options
  const id = newId('sub')
  const item: SubscriptionItem = {
    id: newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: periodEnd(now, now, rhythmOf(price)),
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

/** How often a price is paid. */
export function rhythmOf({ recurring }: Price): Rhythm {
  if (!recurring) throw new Error('A price of a subscription recurs.')
  return recurring as Rhythm
}

/** What older code reads in place of the price. */
export function planOf(price: Price): Plan {
  const { interval, interval_count } = rhythmOf(price)
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
