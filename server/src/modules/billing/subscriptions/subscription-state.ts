import type { Plan } from '@alcove/contract/plans'
import type Stripe from 'stripe'
import type { Realm } from '../../../platform/payments/payments.ts'
import { isMissing } from '../../../platform/payments/stripe.ts'
import { planOf, planOfPrice } from '../prices.ts'

/** A subscription to a plan, running or ended. Times are milliseconds since 1970. */
export interface Subscribed {
  id: string
  itemId: string
  status: Stripe.Subscription.Status
  plan: Plan
  priceInCents: number
  currency: string
  createdAt: number
  periodEnd: number
  /** When it will end on its own. */
  endsAt: number | null
  /** Since when a payment has been missing. */
  unpaidSince: number | null
  /** The reason why it ended, as recorded by whoever ended it. */
  endedFor: string | null
  /** The idempotency key of the last change. */
  attemptId: string | undefined
}

/** A lifetime purchase. */
export interface Owned {
  paymentIntentId: string
  plan: Plan
  priceInCents: number
  currency: string
  boughtAt: number
  attemptId: string | undefined
}

/** Everything Stripe knows about a customer. All billing data of a user is derived from it. */
export interface SubscriptionState {
  email: string | null
  /** The newest first. */
  subscriptions: Subscribed[]
  owned: Owned[]
  /** The latest invoices, newest first. */
  invoices: Stripe.Invoice[]
}

/** Marks a lifetime purchase that its owner has given up. */
export const GIVEN_UP = 'givenUp'

const SECOND = 1000

/** Reads a customer's state from Stripe. Returns undefined if the customer was deleted there. */
export async function readSubscriptionState(
  stripe: Stripe,
  customer: string,
  realm: Realm,
): Promise<SubscriptionState | undefined> {
  try {
    return await requestSubscriptionState(stripe, customer)
  } catch (error) {
    // Test data may have been deleted. If Stripe doesn't know a live customer, the key belongs to another Stripe
    // account.
    if (isMissing(error) && realm !== 'live') return undefined
    throw error
  }
}

async function requestSubscriptionState(stripe: Stripe, customer: string): Promise<SubscriptionState | undefined> {
  const [who, subscriptions, payments, invoices] = await Promise.all([
    stripe.customers.retrieve(customer),
    stripe.subscriptions.list({ customer, status: 'all', limit: 100 }),
    stripe.paymentIntents
      .list({ customer, limit: 100, expand: ['data.latest_charge'] })
      .autoPagingToArray({ limit: 1000 }),
    stripe.invoices.list({ customer, limit: 30 }),
  ])
  if (who.deleted) return undefined
  return {
    email: who.email,
    subscriptions: subscriptions.data
      .flatMap((subscription) => readSubscription(subscription, invoices.data) ?? [])
      .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)),
    owned: payments.flatMap((payment) => readPurchase(payment) ?? []),
    invoices: invoices.data,
  }
}

function readSubscription(subscription: Stripe.Subscription, invoices: Stripe.Invoice[]): Subscribed | undefined {
  const item = subscription.items.data.find(({ price }) => planOfPrice(price))
  const plan = item && planOfPrice(item.price)
  if (!item || !plan) return undefined
  const periodEnd = item.current_period_end * SECOND
  const endsAt = subscription.cancel_at === null ? null : subscription.cancel_at * SECOND
  return {
    id: subscription.id,
    itemId: item.id,
    status: subscription.status,
    plan,
    priceInCents: item.price.unit_amount ?? 0,
    currency: subscription.currency,
    createdAt: subscription.created * SECOND,
    periodEnd,
    endsAt: subscription.cancel_at_period_end ? periodEnd : endsAt,
    unpaidSince: isUnpaid(subscription.status)
      ? (openInvoices(invoices, subscription.id).at(-1)?.created ?? item.current_period_start) * SECOND
      : null,
    endedFor: subscription.cancellation_details?.comment ?? subscription.cancellation_details?.reason ?? null,
    attemptId: subscription.metadata.attemptId,
  }
}

function readPurchase(payment: Stripe.PaymentIntent): Owned | undefined {
  const { planId } = payment.metadata
  if (payment.status !== 'succeeded' || planId === undefined || payment.metadata[GIVEN_UP]) return undefined
  const charge = payment.latest_charge
  if (charge !== null && typeof charge === 'object' && charge.refunded) return undefined
  return {
    paymentIntentId: payment.id,
    plan: planOf(planId),
    priceInCents: payment.amount_received,
    currency: payment.currency,
    boughtAt: payment.created * SECOND,
    attemptId: payment.metadata.attemptId,
  }
}

export function isUnpaid(status: Stripe.Subscription.Status): boolean {
  return status === 'past_due' || status === 'unpaid'
}

/** Returns whether a subscription can still be ended. */
export function isRunning({ status }: Pick<Subscribed, 'status'>): boolean {
  return status === 'active' || status === 'trialing' || status === 'paused' || isUnpaid(status)
}

/** Returns the unpaid invoices of a subscription, newest first. */
export function openInvoices(invoices: Stripe.Invoice[], subscriptionId: string): Stripe.Invoice[] {
  return invoices.filter(
    ({ status, parent }) => status === 'open' && idOf(parent?.subscription_details?.subscription) === subscriptionId,
  )
}

export function idOf(reference: string | { id: string } | null | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id
}
