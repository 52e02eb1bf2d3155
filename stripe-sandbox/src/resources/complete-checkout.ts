import { describeLine, makeLine } from '../billing/invoice-lines.ts'
import { makeInvoice } from '../billing/make-invoice.ts'
import { chargeCard } from '../billing/payment-intents.ts'
import { attemptPayment } from '../billing/settle-invoice.ts'
import { startSubscription } from '../billing/subscription-lifecycle.ts'
import { attachCard, type CardDetails, createCard, declineError } from '../cards.ts'
import { emit } from '../events.ts'
import { Parameters } from '../http/parameters.ts'
import { invalid } from '../http/stripe-error.ts'
import type { Kept } from '../store.ts'
import type { World } from '../world.ts'
import { detailsOf, getCheckoutSession } from './checkout-sessions.ts'
import { createCustomer, getCustomer } from './customers.ts'

export interface CheckoutPayment {
  card: CardDetails
  name: string
  /** Used if the session has no customer. */
  email: string
}

/** Pays an open checkout. Throws if the card is declined. */
export function completeCheckout(world: World, id: string, payment: CheckoutPayment): void {
  const session = getCheckoutSession(world, id)
  const { body, hidden } = session
  if (body.status !== 'open') throw invalid('This Checkout Session is not open.', 'session')
  const customer = body.customer
    ? getCustomer(world, body.customer, 'customer').body
    : createCustomer(world, new Parameters({ email: body.customer_email ?? payment.email, name: payment.name }))
  const card = createCard(world, payment.card, { name: payment.name, email: customer.email })
  // As with Stripe, a card that pays once is not saved for the customer unless the session says so.
  if (body.mode === 'subscription' || hidden.futureUsage) attachCard(world, card, customer.id)
  body.customer = customer.id
  body.customer_details = detailsOf(customer.email, payment.name)
  if (body.mode === 'subscription') subscribe(world, session, customer.id, card.body.id)
  else payOnce(world, session, customer.id, card.body.id)
  body.status = 'complete'
  body.payment_status = 'paid'
  body.url = null
  world.store.keep(body, hidden, { customer: customer.id, dueAt: null })
  emit(world, 'checkout.session.completed', body)
}

function subscribe(world: World, { body, hidden }: Kept<'checkout.session'>, customerId: string, cardId: string): void {
  const [line] = hidden.lineItems
  if (!line) throw new Error('A checkout has a line.')
  const { subscription, invoice, decline } = startSubscription(world, {
    customerId,
    cardId,
    price: line.price,
    quantity: line.quantity ?? 1,
    metadata: hidden.subscriptionMetadata,
    description: null,
  })
  if (decline) throw declineError(decline)
  body.subscription = subscription.body.id
  body.invoice = invoice.body.id
}

function payOnce(world: World, { body, hidden }: Kept<'checkout.session'>, customerId: string, cardId: string): void {
  const currency = body.currency ?? 'usd'
  if (hidden.invoice) {
    const now = world.clock.now()
    const lines = hidden.lineItems.map(({ price, quantity, amount_total }) =>
      makeLine({
        price,
        quantity: quantity ?? 1,
        amount: amount_total,
        description: describeLine(world, price, quantity ?? 1),
        period: { start: now, end: now },
      }),
    )
    const options = { customerId, currency, lines, reason: 'manual', metadata: hidden.invoice } as const
    const invoice = makeInvoice(world, { ...options, isCreditKept: true })
    const decline = attemptPayment(world, invoice, { cardId, metadata: hidden.subscriptionMetadata })
    if (decline) throw declineError(decline)
    body.invoice = invoice.body.id
    body.payment_intent = invoice.hidden.paymentIntent ?? null
    return
  }
  const { paymentIntent, decline } = chargeCard(world, {
    amount: body.amount_total ?? 0,
    currency,
    customerId,
    cardId,
    description: hidden.lineItems.map(({ description }) => description).join(', '),
    metadata: hidden.subscriptionMetadata,
    futureUsage: hidden.futureUsage,
  })
  if (decline) throw declineError(decline)
  body.payment_intent = paymentIntent.id
}
