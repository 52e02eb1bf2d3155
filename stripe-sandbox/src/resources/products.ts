import { differences, emit } from '../events/emit.ts'
import type { Parameters } from '../http/parameters.ts'
import { invalid, missing } from '../http/stripe-error.ts'
import { newId } from '../ids.ts'
import type { Kept } from '../store/store.ts'
import type { Product } from '../stripe-objects.ts'
import type { World } from '../world.ts'

export function getProduct(world: World, id: string, param = 'id'): Kept<'product'> {
  const kept = world.store.find('product', id)
  if (!kept) throw missing('product', id, param, param === 'id' ? 404 : 400)
  return kept
}

/** `params` may be those of the call, or the `product_data` of a price. */
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

export function updateProduct(world: World, id: string, params: Parameters): Product {
  const { body, hidden } = getProduct(world, id)
  const before = structuredClone(body)
  if (params.has('name')) body.name = params.requiredText('name')
  body.active = params.boolean('active') ?? body.active
  if (params.has('description')) body.description = params.text('description') || null
  body.metadata = params.metadata(body.metadata)
  params.ignore('images', 'statement_descriptor', 'unit_label', 'marketing_features', 'tax_code')
  const changed = differences(before, body)
  if (!changed) return body
  body.updated = world.clock.now()
  world.store.keep(body, hidden)
  emit(world, 'product.updated', body, changed)
  return body
}
