import { type ChangeOptions, changePrice, creditUnusedTime, type ProrationBehavior } from '../billing/change-price.ts'
import { makeInvoice } from '../billing/make-invoice.ts'
import { settleInvoice } from '../billing/settle-invoice.ts'
import { cancelNow, isEnded, itemOf, keepSubscription } from '../billing/subscription.ts'
import { startSubscription } from '../billing/subscription-lifecycle.ts'
import { declineError } from '../cards.ts'
import type { Parameters } from '../http/parameters.ts'
import { invalid, missing } from '../http/stripe-error.ts'
import type { Kept } from '../store.ts'
import type { Subscription } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { readLinePrice } from './catalog.ts'
import { getCustomer } from './customers.ts'

const MAX_QUANTITY = 1_000_000

export function getSubscription(world: World, id: string, param = 'id'): Kept<'subscription'> {
  const kept = world.store.find('subscription', id)
  if (!kept) throw missing('subscription', id, param, param === 'id' ? 404 : 400)
  return kept
}

/** Returns a subscription that hasn't ended. */
export function getRunningSubscription(world: World, id: string, param = 'id'): Kept<'subscription'> {
  const kept = getSubscription(world, id, param)
  if (isEnded(kept.body)) throw missing('subscription', id, param, param === 'id' ? 404 : 400)
  return kept
}

export function createSubscription(world: World, params: Parameters): Subscription {
  const customer = getCustomer(world, params.requiredText('customer'), 'customer')
  const [line, another] = params.groups('items')
  if (!line) throw params.missing('items')
  if (another) throw invalid('A subscription of the sandbox has one item.', 'items[1]')
  const price = readLinePrice(world, line)
  if (!price.recurring) throw invalid('The price of a subscription has to recur.', line.nameOf('price'))
  const behavior = params.choice('payment_behavior', ['allow_incomplete', 'error_if_incomplete'])
  params.ignore('off_session', 'collection_method', 'currency')
  const { subscription, decline } = startSubscription(world, {
    customerId: customer.body.id,
    price,
    quantity: line.integer('quantity', { min: 1, max: MAX_QUANTITY }) ?? 1,
    metadata: params.metadata(),
    description: params.text('description') || null,
    cardId: readCard(world, params, customer.body.id),
  })
  if (decline && behavior === 'error_if_incomplete') throw declineError(decline)
  return subscription.body
}

export function updateSubscription(world: World, id: string, params: Parameters): Subscription {
  const subscription = getRunningSubscription(world, id)
  const { body } = subscription
  const before = structuredClone(body)
  body.metadata = params.metadata(body.metadata)
  if (params.has('description')) body.description = params.text('description') || null
  if (params.has('default_payment_method')) body.default_payment_method = readCard(world, params, body.customer)
  readCancellation(world, body, params)
  const change = readPriceChange(world, subscription, params)
  params.ignore('off_session', 'collection_method', 'trial_from_plan')
  keepSubscription(world, subscription, before)
  if (change) changePrice(world, subscription, change)
  return getSubscription(world, id).body
}

/** Ends a subscription at once. `prorate` credits the unused time, but only if `invoice_now` puts it on an invoice. */
export function cancelSubscription(world: World, id: string, params: Parameters): Subscription {
  const subscription = getRunningSubscription(world, id)
  const { body, hidden } = subscription
  const isProrated = params.boolean('prorate') ?? false
  const isInvoiced = params.boolean('invoice_now') ?? false
  readDetails(body, params)
  if (isProrated && body.status !== 'incomplete') {
    hidden.pendingLines.push(creditUnusedTime(world, body, world.clock.now()))
  }
  const lines = isInvoiced ? hidden.pendingLines : []
  if (lines.length === 0) {
    cancelNow(world, subscription, 'cancellation_requested')
    return body
  }
  const invoice = makeInvoice(world, {
    customerId: body.customer,
    currency: body.currency,
    lines,
    reason: 'manual',
    subscription: body,
  })
  body.latest_invoice = invoice.body.id
  cancelNow(world, subscription, 'cancellation_requested')
  settleInvoice(world, invoice)
  return getSubscription(world, id).body
}

function readCard(world: World, params: Parameters, customerId: string): string | null {
  const card = params.text('default_payment_method')
  if (!card) return null
  if (world.store.find('payment_method', card)?.body.customer !== customerId) {
    throw missing('PaymentMethod', card, 'default_payment_method', 400)
  }
  return card
}

function readCancellation(world: World, body: Subscription, params: Parameters): void {
  const isCanceled = params.boolean('cancel_at_period_end')
  if (isCanceled !== undefined) setCancelAtPeriodEnd(body, isCanceled, world.clock.now())
  readDetails(body, params)
}

/** Cancels at the end of the period, or takes that back. */
export function setCancelAtPeriodEnd(body: Subscription, isCanceled: boolean, now: number): void {
  if (isCanceled === body.cancel_at_period_end) return
  body.cancel_at_period_end = isCanceled
  body.cancel_at = isCanceled ? itemOf(body).current_period_end : null
  body.canceled_at = isCanceled ? now : null
  body.cancellation_details = {
    comment: null,
    feedback: null,
    feedback_option: null,
    reason: isCanceled ? 'cancellation_requested' : null,
  }
}

function readDetails(body: Subscription, params: Parameters): void {
  const details = params.group('cancellation_details')
  const comment = details?.text('comment')
  details?.ignore('feedback')
  if (comment !== undefined && body.cancellation_details) body.cancellation_details.comment = comment || null
}

const BEHAVIORS: readonly ProrationBehavior[] = ['always_invoice', 'create_prorations', 'none']

/** Reads a change of price from a call; undefined if nothing changes. */
function readPriceChange(
  world: World,
  { body }: Kept<'subscription'>,
  params: Parameters,
): (ChangeOptions & { isErrorIfIncomplete: boolean }) | undefined {
  const item = itemOf(body)
  const [given, another] = params.groups('items')
  if (another) throw invalid('A subscription of the sandbox has one item.', 'items[1]')
  const behavior = params.choice('proration_behavior', BEHAVIORS) ?? 'create_prorations'
  const payment = params.choice('payment_behavior', ['allow_incomplete', 'error_if_incomplete'])
  const isAnchoredNow = params.choice('billing_cycle_anchor', ['now', 'unchanged']) === 'now'
  const at = params.integer('proration_date') ?? world.clock.now()
  if (at < item.current_period_start || at > item.current_period_end) {
    throw invalid('The proration date lies outside the current period.', 'proration_date')
  }
  if (given && given.requiredText('id') !== item.id) {
    throw invalid(`The subscription item ${given.text('id')} does not exist.`, given.nameOf('id'), 'resource_missing')
  }
  const hasPrice = given !== undefined && (given.has('price') || given.has('price_data'))
  const price = hasPrice ? readLinePrice(world, given) : item.price
  const quantity = given?.integer('quantity', { min: 1, max: MAX_QUANTITY }) ?? item.quantity ?? 1
  given?.ignore('metadata')
  if (price.id === item.price.id && quantity === (item.quantity ?? 1) && !isAnchoredNow) return undefined
  if (!price.recurring) throw invalid('The price of a subscription has to recur.', 'items[0][price]')
  if (price.currency !== body.currency)
    throw invalid('The currency of a subscription cannot change.', 'items[0][price]')
  if (body.status === 'incomplete') throw invalid('A subscription that is not paid yet cannot change.', 'items')
  return { price, quantity, behavior, at, isAnchoredNow, isErrorIfIncomplete: payment === 'error_if_incomplete' }
}
