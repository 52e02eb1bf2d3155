import { cancelNow } from '../billing/cancel-now.ts'
import { changePrice } from '../billing/change-price.ts'
import { isEnded, itemOf, keepSubscription } from '../billing/keep-subscription.ts'
import { makeInvoice } from '../billing/make-invoice.ts'
import { planChange } from '../billing/plan-change.ts'
import { settleInvoice } from '../billing/settle-invoice.ts'
import { startSubscription } from '../billing/start-subscription.ts'
import { declineError } from '../cards/decline-error.ts'
import type { Parameters } from '../http/parameters.ts'
import { invalid, missing } from '../http/stripe-error.ts'
import type { Kept } from '../store/store.ts'
import type { Subscription } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { getCustomer } from './customers.ts'
import { readLinePrice } from './prices.ts'
import { readPriceChange } from './read-price-change.ts'

const MAX_QUANTITY = 1_000_000

export function getSubscription(world: World, id: string, param = 'id'): Kept<'subscription'> {
  const kept = world.store.find('subscription', id)
  if (!kept) throw missing('subscription', id, param, param === 'id' ? 404 : 400)
  return kept
}

/** One that may still change. */
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

/** Ends it at once. `prorate` gives credit for the rest; `invoice_now` puts it on an invoice, else it is lost. */
export function cancelSubscription(world: World, id: string, params: Parameters): Subscription {
  const subscription = getRunningSubscription(world, id)
  const { body, hidden } = subscription
  const isProrated = params.boolean('prorate') ?? false
  const isInvoiced = params.boolean('invoice_now') ?? false
  readDetails(body, params)
  if (isProrated && body.status !== 'incomplete') {
    const { price, quantity = 1 } = itemOf(body)
    const at = world.clock.now()
    const plan = planChange(world, body, { price, quantity, behavior: 'always_invoice', at, isAnchoredNow: false })
    hidden.pendingLines.push(...plan.lines.slice(0, 1))
  }
  if (isInvoiced && hidden.pendingLines.length > 0) {
    const invoice = makeInvoice(world, {
      customerId: body.customer,
      currency: body.currency,
      lines: hidden.pendingLines,
      reason: 'manual',
      subscription: body,
    })
    body.latest_invoice = invoice.body.id
    cancelNow(world, subscription, 'cancellation_requested')
    settleInvoice(world, invoice)
    return getSubscription(world, id).body
  }
  cancelNow(world, subscription, 'cancellation_requested')
  return body
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

/** Or takes it back. */
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
