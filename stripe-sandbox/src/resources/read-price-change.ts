import { itemOf } from '../billing/keep-subscription.ts'
import type { ChangeOptions, ProrationBehavior } from '../billing/plan-change.ts'
import type { Parameters } from '../http/parameters.ts'
import { invalid } from '../http/stripe-error.ts'
import type { Kept } from '../store/store.ts'
import type { World } from '../world.ts'
import { readLinePrice } from './prices.ts'

const MAX_QUANTITY = 1_000_000
const BEHAVIORS: readonly ProrationBehavior[] = ['always_invoice', 'create_prorations', 'none']

/** What a call wants to change of a subscription's price; undefined when it is nothing. */
export function readPriceChange(
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
