import { describeRhythm, nameOfPrice } from '../billing/describe-line.ts'
import type { Parameters } from '../http/parameters.ts'
import { invalid } from '../http/stripe-error.ts'
import { newId } from '../ids.ts'
import type { LineItem } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { readLinePrice } from './prices.ts'

const MAX_LINES = 20
const MAX_QUANTITY = 1_000_000

/** What a checkout sells. */
export function readLineItems(world: World, params: Parameters, mode: 'payment' | 'subscription'): LineItem[] {
  const lines = params.groups('line_items')
  if (lines.length === 0) throw params.missing('line_items')
  if (lines.length > MAX_LINES) throw invalid(`At most ${MAX_LINES} line items.`, 'line_items')
  const items = lines.map((line) => readLineItem(world, line))
  const recurring = items.filter(({ price }) => price.recurring)
  if (mode === 'payment' && recurring.length > 0) {
    throw invalid(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      'line_items[0][price]',
    )
  }
  if (mode === 'subscription' && recurring.length === 0) {
    throw invalid('You must provide at least one recurring price in `subscription` mode.', 'line_items[0][price]')
  }
  if (mode === 'subscription' && items.length > 1) {
    throw invalid('A subscription of the sandbox has one item.', 'line_items[1]')
  }
  if (items.some(({ currency }) => currency !== items[0]?.currency)) {
    throw invalid('All line items have to be in the same currency.', 'line_items')
  }
  return items
}

function readLineItem(world: World, line: Parameters): LineItem {
  const price = readLinePrice(world, line)
  const quantity = line.integer('quantity', { min: 1, max: MAX_QUANTITY })
  if (quantity === undefined) throw line.missing('quantity')
  const amount = (price.unit_amount ?? 0) * quantity
  return {
    id: newId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: nameOfPrice(world, price),
    metadata: line.metadata(),
    price,
    quantity,
  }
}

/** How a line is paid, in words: `Billed yearly`. */
export function describeBilling({ price }: LineItem): string {
  const rhythm = describeRhythm(price)
  if (!rhythm) return 'Paid once'
  const adverbs: Readonly<Record<string, string>> = { day: 'daily', week: 'weekly', month: 'monthly', year: 'yearly' }
  return `Billed ${adverbs[rhythm] ?? `every ${rhythm}`}`
}
