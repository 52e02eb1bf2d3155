import { isEnded, keepSubscription } from '../billing/keep-subscription.ts'
import { settleInvoice } from '../billing/settle-invoice.ts'
import { attachCard } from '../cards/attach-card.ts'
import type { CardDetails } from '../cards/check-card.ts'
import { createCard } from '../cards/create-card.ts'
import { invalid, missing } from '../http/stripe-error.ts'
import type { Decline, Subscription } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { getCustomer, keepCustomer } from './customers.ts'
import { getInvoice } from './invoices.ts'
import { getRunningSubscription, setCancelAtPeriodEnd } from './subscriptions.ts'

/** A new card, which pays for everything from now on: the customer's, and the running subscriptions'. */
export function giveCard(
  world: World,
  customerId: string,
  details: CardDetails,
  holder: { name: string; country: string },
): void {
  const customer = getCustomer(world, customerId)
  const before = structuredClone(customer.body)
  const card = createCard(world, details, { ...holder, email: customer.body.email })
  attachCard(world, card, customerId)
  customer.body.invoice_settings.default_payment_method = card.body.id
  delete customer.hidden.renewals
  keepCustomer(world, customer, before)
  for (const subscription of world.store.list('subscription', { customer: customerId })) {
    if (isEnded(subscription.body)) continue
    const subscriptionBefore = structuredClone(subscription.body)
    subscription.body.default_payment_method = card.body.id
    keepSubscription(world, subscription, subscriptionBefore)
  }
}

/** Cancels at the end of the period, or takes that back. */
export function setCancelled(world: World, shown: Subscription | undefined, isCancelled: boolean): void {
  const subscription = getRunningSubscription(world, shown?.id ?? '')
  const before = structuredClone(subscription.body)
  setCancelAtPeriodEnd(subscription.body, isCancelled, world.clock.now())
  keepSubscription(world, subscription, before)
}

/** Pays what is open, with the card that pays for everything. */
export function payFromPortal(world: World, customerId: string, invoiceId: string): Decline | undefined {
  const invoice = getInvoice(world, invoiceId)
  if (invoice.body.customer !== customerId) throw missing('invoice', invoiceId)
  if (invoice.body.status === 'paid') return undefined
  if (invoice.body.status !== 'open') throw invalid('This invoice is not open.')
  return settleInvoice(world, invoice)
}

/** How the next renewals go: the test clock's doing. */
export function setRenewals(world: World, customerId: string, wish: string): void {
  const { body, hidden } = getCustomer(world, customerId)
  if (wish === 'fail' || wish === 'fail_once') hidden.renewals = wish
  else delete hidden.renewals
  world.store.keep(body, hidden)
}
