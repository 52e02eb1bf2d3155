import { isEnded } from '../billing/subscription.ts'
import type { ListQuery } from '../store.ts'
import type { List, ObjectName, ObjectNamed, Subscription } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import type { Parameters } from './parameters.ts'
import { missing } from './stripe-error.ts'

function bodies<Name extends ObjectName>(world: World, object: Name, query: ListQuery = {}): ObjectNamed<Name>[] {
  return world.store.list(object, query).map(({ body }) => body)
}

/** Returns the `customer` parameter. As with Stripe, an unknown customer is an error. */
function customerOf(world: World, params: Parameters): string | undefined {
  const id = params.text('customer')
  if (id && !world.store.find('customer', id)) throw missing('customer', id, 'customer', 400)
  return id
}

export function listCustomers(world: World, params: Parameters): object {
  const email = params.text('email')
  const all = bodies(world, 'customer').filter((one) => !('deleted' in one) && (!email || one.email === email))
  return listResponse(all, params, '/v1/customers')
}

export function listPaymentMethods(world: World, params: Parameters): object {
  params.choice('type', ['card'])
  const customer = customerOf(world, params)
  // Stripe doesn't list cards without a customer either.
  return listResponse(customer ? bodies(world, 'payment_method', { customer }) : [], params, '/v1/payment_methods')
}

export function listPaymentIntents(world: World, params: Parameters): object {
  const all = bodies(world, 'payment_intent', { customer: customerOf(world, params) })
  return listResponse(all, params, '/v1/payment_intents')
}

export function listPrices(world: World, params: Parameters): object {
  const active = params.boolean('active')
  const product = params.text('product')
  const lookupKeys = params.texts('lookup_keys')
  const type = params.choice('type', ['one_time', 'recurring'])
  const all = bodies(world, 'price').filter(
    (one) =>
      (active === undefined || one.active === active) &&
      (!product || one.product === product) &&
      (!type || one.type === type) &&
      (!lookupKeys || (one.lookup_key !== null && lookupKeys.includes(one.lookup_key))),
  )
  return listResponse(all, params, '/v1/prices')
}

export function listCheckoutSessions(world: World, params: Parameters): object {
  const status = params.choice('status', ['complete', 'expired', 'open'])
  const all = bodies(world, 'checkout.session', { customer: customerOf(world, params) }).filter(
    (one) => !status || one.status === status,
  )
  return listResponse(all, params, '/v1/checkout/sessions')
}

const SUBSCRIPTION_STATUSES = [
  'active',
  'all',
  'canceled',
  'ended',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
] as const

/** Lists subscriptions. The default is all but canceled ones. */
export function listSubscriptions(world: World, params: Parameters): object {
  const status = params.choice('status', SUBSCRIPTION_STATUSES)
  const isListed = (one: Subscription) =>
    status === undefined ? one.status !== 'canceled' : status === 'ended' ? isEnded(one) : one.status === status
  const all = bodies(world, 'subscription', { customer: customerOf(world, params) }).filter(
    (one) => status === 'all' || isListed(one),
  )
  return listResponse(all, params, '/v1/subscriptions')
}

export function listInvoices(world: World, params: Parameters): object {
  const status = params.choice('status', ['draft', 'open', 'paid', 'uncollectible', 'void'])
  const all = bodies(world, 'invoice', {
    customer: customerOf(world, params),
    lookup: params.text('subscription') || undefined,
  }).filter((one) => !status || one.status === status)
  return listResponse(all, params, '/v1/invoices')
}

/** Returns one page of a list that has the newest first. */
function listResponse<T extends { id: string }>(all: T[], params: Parameters, url: string): List<T> {
  const limit = params.integer('limit', { min: 1, max: 100 }) ?? 10
  const after = params.text('starting_after')
  const before = params.text('ending_before')
  if (before) {
    const end = indexOf(all, before, 'ending_before')
    const start = Math.max(0, end - limit)
    return { object: 'list', data: all.slice(start, end), has_more: start > 0, url }
  }
  const start = after ? indexOf(all, after, 'starting_after') + 1 : 0
  return { object: 'list', data: all.slice(start, start + limit), has_more: all.length > start + limit, url }
}

function indexOf(all: { id: string }[], id: string, param: string): number {
  const index = all.findIndex((one) => one.id === id)
  if (index === -1) throw missing('object', id, param, 400)
  return index
}
