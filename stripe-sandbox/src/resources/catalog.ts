import { differences, emit } from '../events.ts'
import type { Parameters } from '../http/parameters.ts'
import { invalid, missing } from '../http/stripe-error.ts'
import type { Kept } from '../store.ts'
import type { Price, Product } from '../stripe-objects.ts'
import { newId } from '../text.ts'
import type { World } from '../world.ts'

/** Stripe's limit of eight digits. */
const MAX_AMOUNT = 99_999_999
/** Stripe's limit of three years. */
const MAX_COUNT = { day: 1095, week: 156, month: 36, year: 3 } as const

export function getPrice(world: World, id: string, param = 'id'): Kept<'price'> {
  const kept = world.store.find('price', id)
  if (!kept) throw missing('price', id, param, param === 'id' ? 404 : 400)
  return kept
}

export function createPrice(world: World, params: Parameters): Price {
  const lookupKey = params.text('lookup_key') || null
  const isTransferred = params.boolean('transfer_lookup_key') ?? false
  if (lookupKey) takeLookupKey(world, lookupKey, isTransferred)
  const body: Price = {
    ...readPrice(world, params),
    active: params.boolean('active') ?? true,
    lookup_key: lookupKey,
    metadata: params.metadata(),
    nickname: params.text('nickname') || null,
  }
  world.store.keep(body, {}, { lookup: lookupKey })
  emit(world, 'price.created', body)
  return body
}

/** Returns the price of a line: an existing one, or one created for this line from `price_data`. */
export function readLinePrice(world: World, line: Parameters): Price {
  const id = line.text('price')
  if (id !== undefined) {
    const { body } = getPrice(world, id, line.nameOf('price'))
    if (!body.active) throw invalid(`The price specified is inactive.`, line.nameOf('price'))
    return body
  }
  const priceData = line.group('price_data')
  if (!priceData) throw line.missing('price')
  const body = { ...readPrice(world, priceData), active: false }
  world.store.keep(body, {})
  return body
}

export function updatePrice(world: World, id: string, params: Parameters): Price {
  const { body } = getPrice(world, id)
  const before = structuredClone(body)
  body.active = params.boolean('active') ?? body.active
  body.metadata = params.metadata(body.metadata)
  if (params.has('nickname')) body.nickname = params.text('nickname') || null
  const isTransferred = params.boolean('transfer_lookup_key') ?? false
  const lookupKey = params.has('lookup_key') ? params.text('lookup_key') || null : body.lookup_key
  if (lookupKey && lookupKey !== body.lookup_key) takeLookupKey(world, lookupKey, isTransferred)
  body.lookup_key = lookupKey
  const changed = differences(before, body)
  if (!changed) return body
  world.store.keep(body, {}, { lookup: lookupKey })
  emit(world, 'price.updated', body, changed)
  return body
}

function readPrice(world: World, params: Parameters): Price {
  const productData = params.group('product_data')
  const product = productData
    ? createProduct(world, productData).id
    : getProduct(world, params.requiredText('product'), params.nameOf('product')).body.id
  const amount = params.integer('unit_amount', { max: MAX_AMOUNT })
  if (amount === undefined) throw params.missing('unit_amount')
  const currency = params.requiredText('currency').toLowerCase()
  if (!/^[a-z]{3}$/.test(currency)) throw invalid(`Invalid currency: ${currency}`, params.nameOf('currency'))
  const recurring = readRecurring(params.group('recurring'))
  params.ignore('tax_behavior', 'billing_scheme')
  return {
    id: newId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: world.clock.now(),
    currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product,
    recurring,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  }
}

function readRecurring(params: Parameters | undefined): Price['recurring'] {
  if (!params) return null
  const interval = params.choice('interval', ['day', 'week', 'month', 'year'])
  if (!interval) throw params.missing('interval')
  const count = params.integer('interval_count', { min: 1, max: MAX_COUNT[interval] }) ?? 1
  params.choice('usage_type', ['licensed'])
  return { interval, interval_count: count, meter: null, trial_period_days: null, usage_type: 'licensed' }
}

function takeLookupKey(world: World, lookupKey: string, isTransferred: boolean): void {
  const holder = world.store.findByLookup('price', lookupKey)
  if (!holder) return
  if (!isTransferred) {
    throw invalid(
      `A price (\`${holder.body.id}\`) already uses that lookup key.`,
      'lookup_key',
      'resource_already_exists',
    )
  }
  holder.body.lookup_key = null
  world.store.keep(holder.body, {}, { lookup: null })
}

function getProduct(world: World, id: string, param = 'id'): Kept<'product'> {
  const kept = world.store.find('product', id)
  if (!kept) throw missing('product', id, param, param === 'id' ? 404 : 400)
  return kept
}

/** `params` are those of the call or the `product_data` of a price. */
export function createProduct(world: World, params: Parameters): Product {
  const id = params.text('id') ?? newId('prod')
  if (!/^[\w-]{1,100}$/.test(id)) throw invalid('Invalid id.', params.nameOf('id'))
  if (world.store.findAny(id)) throw invalid('Product already exists.', params.nameOf('id'), 'resource_already_exists')
  const body: Product = {
    id,
    object: 'product',
    active: params.boolean('active') ?? true,
    created: world.clock.now(),
    default_price: null,
    description: params.text('description') || null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: params.metadata(),
    name: params.requiredText('name'),
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: params.text('tax_code') || null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: world.clock.now(),
    url: null,
  }
  params.ignore('images', 'statement_descriptor', 'unit_label', 'shippable', 'type', 'marketing_features')
  world.store.keep(body, {})
  emit(world, 'product.created', body)
  return body
}
