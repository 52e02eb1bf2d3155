import { paymentsOf } from '../resources/invoices.ts'
import type { List } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { invalid } from './stripe-error.ts'

type Json = Record<string, unknown>

const MAX_DEPTH = 4

/** What is left out of objects until it is asked for. */
const leftOut: Readonly<Record<string, Readonly<Record<string, (world: World, id: string) => unknown>>>> = {
  'checkout.session': {
    line_items: (world, id) =>
      list(`/v1/checkout/sessions/${id}/line_items`, world.store.find('checkout.session', id)?.hidden.lineItems ?? []),
  },
  customer: {
    subscriptions: (world, id) =>
      list(
        `/v1/customers/${id}/subscriptions`,
        world.store
          .list('subscription', { customer: id })
          .map(({ body }) => body)
          .filter(({ status }) => status !== 'canceled'),
      ),
  },
  invoice: {
    payments: (world, id) => {
      const invoice = world.store.find('invoice', id)
      return list(`/v1/invoice_payments?invoice=${id}`, invoice ? paymentsOf(world, invoice) : [])
    },
    confirmation_secret: (world, id) => {
      const paymentIntentId = world.store.find('invoice', id)?.hidden.paymentIntent
      const paymentIntent = paymentIntentId && world.store.find('payment_intent', paymentIntentId)?.body
      return paymentIntent ? { client_secret: paymentIntent.client_secret, type: 'payment_intent' } : null
    },
  },
}

function list<T>(url: string, data: T[]): List<T> {
  return { object: 'list', data, has_more: false, url }
}

/** Puts objects in the place of their ids, along paths like `data.latest_invoice.payments`. */
export function expand(world: World, response: object, paths: readonly string[]): object {
  const expanded = structuredClone(response)
  for (const path of paths) {
    const fields = path.split('.')
    const depth = fields[0] === 'data' ? fields.length - 1 : fields.length
    if (depth > MAX_DEPTH) throw invalid(`You cannot expand more than ${MAX_DEPTH} levels of a property.`, 'expand')
    expandOne(world, expanded as Json, fields, path)
  }
  return expanded
}

function expandOne(world: World, holder: Json, [field, ...rest]: string[], path: string): void {
  if (field === undefined) return
  const value = expandedValue(world, holder, field, path)
  if (value === null || value === undefined) return
  holder[field] = value
  for (const inner of Array.isArray(value) ? value : [value]) {
    if (typeof inner === 'object' && inner !== null) expandOne(world, inner as Json, rest, path)
  }
}

function expandedValue(world: World, holder: Json, field: string, path: string): unknown {
  const value = holder[field]
  const make = leftOut[String(holder.object)]?.[field]
  if (value === undefined && make) return make(world, String(holder.id))
  if (value === undefined || field === 'id' || (typeof value === 'string' && !world.store.findAny(value))) {
    // What is not there in one of a list's objects may be in another: only what has no such field is wrong.
    if (value === undefined && holder.object === undefined) return undefined
    throw invalid(`This property cannot be expanded (${path}).`, 'expand')
  }
  return typeof value === 'string' ? world.store.findAny(value) : value
}
