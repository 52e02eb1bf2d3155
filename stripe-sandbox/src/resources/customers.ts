import { cancelNow, isEnded } from '../billing/subscription.ts'
import { differences, emit } from '../events.ts'
import type { Parameters } from '../http/parameters.ts'
import { invalid, missing } from '../http/stripe-error.ts'
import type { Kept } from '../store.ts'
import type { Customer } from '../stripe-objects.ts'
import { newId, randomText } from '../text.ts'
import type { World } from '../world.ts'

/** Throws if the customer doesn't exist or was deleted. */
export function getCustomer(world: World, id: string, param = 'id'): Kept<'customer'> {
  const kept = world.store.find('customer', id)
  // An id in the path gives 404, one in a parameter 400.
  if (!kept || 'deleted' in kept.body) throw missing('customer', id, param, param === 'id' ? 404 : 400)
  return kept
}

export function createCustomer(world: World, params: Parameters): Customer {
  const body: Customer = {
    id: newId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: world.clock.now(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
  readFields(world, params, body)
  world.store.keep(body, {})
  emit(world, 'customer.created', body)
  return body
}

export function updateCustomer(world: World, id: string, params: Parameters): Customer {
  const kept = getCustomer(world, id)
  const before = structuredClone(kept.body)
  const card = kept.body.invoice_settings.default_payment_method
  readFields(world, params, kept.body)
  // A new card ends the test clock's failing renewals.
  if (card !== kept.body.invoice_settings.default_payment_method) delete kept.hidden.renewals
  keepCustomer(world, kept, before)
  return kept.body
}

/** Stores a customer, and emits an event if it changed. */
export function keepCustomer(world: World, { body, hidden }: Kept<'customer'>, before: Customer): void {
  world.store.keep(body, hidden)
  const changed = differences(before, body)
  if (changed) emit(world, 'customer.updated', body, changed)
}

function readFields(world: World, params: Parameters, body: Customer): void {
  for (const field of ['email', 'name', 'description', 'phone'] as const) {
    const text = params.text(field)
    if (text !== undefined) body[field] = text === '' ? null : text
  }
  if (body.email && (!/^[^\s@]+@[^\s@]+$/.test(body.email) || body.email.length > 512)) {
    throw invalid(`Invalid email address: ${body.email}`, 'email', 'email_invalid')
  }
  body.metadata = params.metadata(body.metadata)
  body.balance = params.integer('balance', { min: Number.MIN_SAFE_INTEGER }) ?? body.balance
  params.ignore('address', 'preferred_locales', 'tax_exempt')
  const card = params.group('invoice_settings')?.text('default_payment_method')
  if (card === undefined) return
  if (card !== '' && world.store.find('payment_method', card)?.body.customer !== body.id) {
    throw missing('PaymentMethod', card, 'invoice_settings[default_payment_method]', 400)
  }
  body.invoice_settings.default_payment_method = card === '' ? null : card
}

/** Deletes a customer. Its subscriptions end at once. */
export function deleteCustomer(world: World, id: string): object {
  const { store } = world
  const { body, hidden } = getCustomer(world, id)
  for (const subscription of store.list('subscription', { customer: id })) {
    if (!isEnded(subscription.body)) cancelNow(world, subscription, 'cancellation_requested')
  }
  for (const card of store.list('payment_method', { customer: id })) {
    card.body.customer = null
    store.keep(card.body, card.hidden, { customer: null })
  }
  const deleted = { id, object: 'customer', deleted: true }
  store.run('update objects set body = ?, hidden = ? where id = ?', JSON.stringify(deleted), JSON.stringify(hidden), id)
  emit(world, 'customer.deleted', body)
  return deleted
}
