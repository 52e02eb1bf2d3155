import type { Parameters } from '../http/parameters.ts'
import { invalid, missing } from '../http/stripe-error.ts'
import type { Kept } from '../store/store.ts'
import type { CheckoutSession, Metadata } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { getCustomer } from './customers.ts'
import { expireCheckout } from './expire-checkout.ts'
import { readLineItems } from './line-items.ts'
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

/** What goes on to the subscription or to the payment and its invoice. */
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

/** Takes the page away; who has not paid by now does not any more. */
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
