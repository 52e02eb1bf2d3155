import { isEnded } from '../billing/keep-subscription.ts'
import { getCheckoutSession } from '../resources/checkout-sessions.ts'
import { getCustomer } from '../resources/customers.ts'
import { getInvoice } from '../resources/invoices.ts'
import { nameOfStatus } from '../resources/subscription-status.ts'
import type { ListQuery } from '../store/store.ts'
import type { ObjectName, ObjectNamed, StripeEvent } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { listResponse } from './list-response.ts'
import type { Parameters } from './parameters.ts'
import { missing } from './stripe-error.ts'

/** Events that a list goes back to. */
const LISTED_EVENTS = 1000

function bodies<Name extends ObjectName>(world: World, object: Name, query: ListQuery = {}): ObjectNamed<Name>[] {
  return world.store.list(object, query).map(({ body }) => body)
}

/** The `customer` of a list; one that is not there is an error, as with Stripe. */
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

export function listCards(world: World, params: Parameters, id: string): object {
  params.choice('type', ['card'])
  const all = bodies(world, 'payment_method', { customer: getCustomer(world, id).body.id })
  return listResponse(all, params, `/v1/customers/${id}/payment_methods`)
}

export function listPaymentMethods(world: World, params: Parameters): object {
  params.choice('type', ['card'])
  const customer = customerOf(world, params)
  // Without a customer there is nothing to list: cards that belong to nobody are not listed by Stripe either.
  return listResponse(customer ? bodies(world, 'payment_method', { customer }) : [], params, '/v1/payment_methods')
}

export function listPaymentIntents(world: World, params: Parameters): object {
  const all = bodies(world, 'payment_intent', { customer: customerOf(world, params) })
  return listResponse(all, params, '/v1/payment_intents')
}

export function listProducts(world: World, params: Parameters): object {
  const active = params.boolean('active')
  const ids = params.texts('ids')
  const all = bodies(world, 'product').filter(
    (one) => (active === undefined || one.active === active) && (!ids || ids.includes(one.id)),
  )
  return listResponse(all, params, '/v1/products')
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
  const subscription = params.text('subscription')
  const paymentIntent = params.text('payment_intent')
  const status = params.choice('status', ['complete', 'expired', 'open'])
  const all = bodies(world, 'checkout.session', { customer: customerOf(world, params) }).filter(
    (one) =>
      (!subscription || one.subscription === subscription) &&
      (!paymentIntent || one.payment_intent === paymentIntent) &&
      (!status || one.status === status),
  )
  return listResponse(all, params, '/v1/checkout/sessions')
}

export function listLineItems(world: World, params: Parameters, id: string): object {
  const { hidden } = getCheckoutSession(world, id)
  return listResponse(hidden.lineItems, params, `/v1/checkout/sessions/${id}/line_items`)
}

/** Without a status those that have not been cancelled. */
export function listSubscriptions(world: World, params: Parameters): object {
  const status = params.choice('status', nameOfStatus)
  const price = params.text('price')
  const all = bodies(world, 'subscription', { customer: customerOf(world, params) }).filter(
    (one) =>
      (!price || one.items.data.some((item) => item.price.id === price)) &&
      (status === 'all' ||
        (status === undefined ? one.status !== 'canceled' : status === 'ended' ? isEnded(one) : one.status === status)),
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

export function listInvoiceLines(world: World, params: Parameters, id: string): object {
  return listResponse(getInvoice(world, id).body.lines.data, params, `/v1/invoices/${id}/lines`)
}

export function listEvents(world: World, params: Parameters): object {
  const type = params.text('type')
  const types = params.texts('types')
  const all = world.store
    .all<{ body: string }>('select body from events order by sequence desc limit ?', LISTED_EVENTS)
    .map(({ body }) => JSON.parse(body) as StripeEvent)
    .filter((one) => (!type || one.type === type) && (!types || types.includes(one.type)))
  return listResponse(all, params, '/v1/events')
}

export function getEvent(world: World, id: string): object {
  const row = world.store.get<{ body: string }>('select body from events where id = ?', id)
  if (!row) throw missing('event', id)
  return JSON.parse(row.body)
}
