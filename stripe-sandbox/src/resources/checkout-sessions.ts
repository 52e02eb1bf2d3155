import { describeInterval, nameOfPrice } from '../billing/invoice-lines.ts'
import { emit } from '../events.ts'
import type { Parameters } from '../http/parameters.ts'
import { invalid, missing } from '../http/stripe-error.ts'
import type { Kept } from '../store.ts'
import type { CheckoutSession, LineItem, Metadata } from '../stripe-objects.ts'
import { newId } from '../text.ts'
import type { World } from '../world.ts'
import { readLinePrice } from './catalog.ts'
import { getCustomer } from './customers.ts'
import { newCheckoutSession } from './new-checkout-session.ts'

export function getCheckoutSession(world: World, id: string): Kept<'checkout.session'> {
  const kept = world.store.find('checkout.session', id)
  if (!kept) throw missing('checkout.session', id, 'session')
  return kept
}

export function createCheckoutSession(world: World, params: Parameters): CheckoutSession {
  const mode = params.choice('mode', ['payment', 'subscription'])
  if (!mode) throw params.missing('mode')
  const customerId = params.text('customer')
  const customer = customerId === undefined ? undefined : getCustomer(world, customerId, 'customer').body
  const lineItems = readLineItems(world, params, mode)
  const total = lineItems.reduce((sum, line) => sum + line.amount_total, 0)
  const body = newCheckoutSession(world, params, { mode, total, currency: lineItems[0]?.currency ?? 'usd' })
  body.customer = customer?.id ?? null
  body.customer_email = customer ? null : params.text('customer_email') || null
  body.customer_details = customer ? detailsOf(customer.email, customer.name ?? null) : null
  const hidden = { lineItems, ...readDataOfMode(params, body) }
  world.store.keep(body, hidden, { customer: body.customer, dueAt: body.expires_at })
  return body
}

interface DataOfMode {
  subscriptionMetadata: Metadata
  futureUsage: boolean
  invoice?: Metadata
}

/** Reads the data for the subscription, or for the payment and its invoice. */
function readDataOfMode(params: Parameters, body: CheckoutSession): DataOfMode {
  const subscription = params.group('subscription_data')
  const payment = params.group('payment_intent_data')
  const invoice = params.group('invoice_creation')
  const [wrong, field] =
    body.mode === 'payment' ? [subscription, 'subscription_data'] : [payment, 'payment_intent_data']
  if (wrong) throw invalid(`You can not pass \`${field}\` in \`${body.mode}\` mode.`, field)
  subscription?.ignore('description', 'billing_mode', 'proration_behavior')
  payment?.ignore('description', 'receipt_email')
  const futureUsage = payment?.choice('setup_future_usage', ['off_session', 'on_session']) !== undefined
  const subscriptionMetadata = (subscription ?? payment)?.metadata() ?? {}
  if (body.mode !== 'payment') return { subscriptionMetadata, futureUsage }
  const enabled = invoice?.boolean('enabled') ?? false
  const data = invoice?.group('invoice_data')
  const metadata = data?.metadata() ?? null
  body.invoice_creation = {
    enabled,
    invoice_data: {
      account_tax_ids: null,
      custom_fields: null,
      description: data?.text('description') || null,
      footer: null,
      issuer: null,
      metadata,
      rendering_options: null,
    },
  }
  return { subscriptionMetadata, futureUsage, ...(enabled && { invoice: metadata ?? {} }) }
}

export function expireCheckoutSession(world: World, id: string): CheckoutSession {
  const { body } = getCheckoutSession(world, id)
  if (body.status !== 'open') {
    throw invalid('Only Checkout Sessions with a status in ["open"] can be expired.', 'session')
  }
  expireCheckout(world, id)
  return getCheckoutSession(world, id).body
}

export function detailsOf(email: string | null, name: string | null): CheckoutSession['customer_details'] {
  return {
    address: null,
    business_name: null,
    email,
    individual_name: name,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  }
}

const MAX_LINES = 20
const MAX_QUANTITY = 1_000_000

function readLineItems(world: World, params: Parameters, mode: 'payment' | 'subscription'): LineItem[] {
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

/** Describes how often a line is billed: `Billed yearly`. */
export function describeBilling({ price }: LineItem): string {
  const interval = describeInterval(price)
  if (!interval) return 'Paid once'
  const adverbs: Readonly<Record<string, string>> = { day: 'daily', week: 'weekly', month: 'monthly', year: 'yearly' }
  return `Billed ${adverbs[interval] ?? `every ${interval}`}`
}

/** Expires a checkout if it is still open. */
export function expireCheckout(world: World, id: string): void {
  const kept = world.store.find('checkout.session', id)
  if (kept?.body.status !== 'open') return
  kept.body.status = 'expired'
  kept.body.url = null
  world.store.keep(kept.body, kept.hidden, { dueAt: null })
  emit(world, 'checkout.session.expired', kept.body)
}
