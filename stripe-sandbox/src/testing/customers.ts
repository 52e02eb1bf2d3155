import type Stripe from 'stripe'
import type { TestSandbox } from './test-sandbox.ts'

/** A customer with a card that pays by itself. */
export async function createPayingCustomer({ stripe }: TestSandbox, card = 'pm_card_visa'): Promise<Stripe.Customer> {
  const customer = await stripe.customers.create({ email: 'mara@example.com', metadata: { userId: 'u1' } })
  const { id } = await stripe.paymentMethods.attach(card, { customer: customer.id })
  return stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: id } })
}

/** A price of so many cents a month or year, found by its lookup key. */
export async function createPlan(
  { stripe }: TestSandbox,
  name: string,
  cents: number,
  interval?: 'month' | 'year',
): Promise<Stripe.Price> {
  const product = await stripe.products.create({ name })
  return stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: cents,
    lookup_key: name,
    ...(interval && { recurring: { interval } }),
  })
}

export async function subscribe(
  { stripe }: TestSandbox,
  customer: Stripe.Customer,
  price: Stripe.Price,
): Promise<Stripe.Subscription> {
  return stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] })
}

/** The one item of a subscription. */
export function itemIn(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data
  if (!item) throw new Error('A subscription has an item.')
  return item
}
