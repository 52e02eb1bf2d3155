import type { Plan } from '@alcove/contract/plans'
import type Stripe from 'stripe'
import type { Services } from '../../../context.ts'
import { isMissing } from '../../../platform/payments/stripe.ts'
import { soldPlan } from '../catalogue/sold-plan.ts'
import { planIdOfPrice } from '../prices.ts'

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

type Reading = Pick<Services, 'db' | 'config' | 'clock' | 'payments'>

/** Reads a customer's state from Stripe. Returns undefined if the customer was deleted there. */
export async function readSubscriptionState(
  services: Reading,
  stripe: Stripe,
  customer: string,
): Promise<SubscriptionState | undefined> {
  try {
    return await requestSubscriptionState(services, stripe, customer)
  } catch (error) {
    // Test data may have been deleted. If Stripe doesn't know a live customer, the key belongs to another Stripe
    // account.
    if (isMissing(error) && services.payments.realm !== 'live') return undefined
    throw error
  }
}

async function requestSubscriptionState(
  services: Reading,
  stripe: Stripe,
  customer: string,
): Promise<SubscriptionState | undefined> {
  const [who, subscriptions, payments, invoices] = await Promise.all([
    stripe.customers.retrieve(customer),
    stripe.subscriptions.list({ customer, status: 'all', limit: 100 }),
    stripe.paymentIntents
      .list({ customer, limit: 100, expand: ['data.latest_charge'] })
      .autoPagingToArray({ limit: 1000 }),
    stripe.invoices.list({ customer, limit: 30 }),
  ])
  if (who.deleted) return undefined
  const subscribed = await readEach(subscriptions.data, (one) => readSubscription(services, one, invoices.data))
  return {
    email: who.email,
    subscriptions: subscribed.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)),
    owned: await readEach(payments, (payment) => readPurchase(services, payment)),
    invoices: invoices.data,
  }
}

/** One after the other, because they look up the same plans. */
async function readEach<From, To>(those: readonly From[], read: (one: From) => Promise<To | undefined>): Promise<To[]> {
  const results: To[] = []
  for (const one of those) {
    const result = await read(one)
    if (result !== undefined) results.push(result)
  }
  return results
}

async function readSubscription(
  services: Reading,
  subscription: Stripe.Subscription,
  invoices: Stripe.Invoice[],
): Promise<Subscribed | undefined> {
  const item = subscription.items.data.find(({ price }) => planIdOfPrice(price) !== undefined)
  const planId = item && planIdOfPrice(item.price)
  if (!item || planId === undefined) return undefined
  const periodEnd = item.current_period_end * SECOND
  const endsAt = subscription.cancel_at === null ? null : subscription.cancel_at * SECOND
  return {
    id: subscription.id,
    itemId: item.id,
    status: subscription.status,
    plan: await soldPlan(services, planId, item.price.metadata),
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

async function readPurchase(services: Reading, payment: Stripe.PaymentIntent): Promise<Owned | undefined> {
  const { planId } = payment.metadata
  if (payment.status !== 'succeeded' || planId === undefined || payment.metadata[GIVEN_UP]) return undefined
  const charge = payment.latest_charge
  if (charge !== null && typeof charge === 'object' && charge.refunded) return undefined
  return {
    paymentIntentId: payment.id,
    plan: await soldPlan(services, planId, payment.metadata),
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
