import { differences, emit } from '../events/emit.ts'
import type { Parameters } from '../http/parameters.ts'
import { invalid, missing } from '../http/stripe-error.ts'
import { newId, randomText } from '../ids.ts'
import type { Kept } from '../store/store.ts'
import type { Customer } from '../stripe-objects.ts'
import type { World } from '../world.ts'

/** Throws for one that is not there, or not any more. */
export function getCustomer(world: World, id: string, param = 'id'): Kept<'customer'> {
  const kept = world.store.find('customer', id)
  // What is not the address of the call itself is a wrong parameter.
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
  // A new card is a good one.
  if (card !== kept.body.invoice_settings.default_payment_method) delete kept.hidden.renewals
  keepCustomer(world, kept, before)
  return kept.body
}

/** Stores what has changed, and tells of it. */
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
