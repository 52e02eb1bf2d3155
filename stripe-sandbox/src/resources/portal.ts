import { getInvoice, settleInvoice } from '../billing/settle-invoice.ts'
import { cardFor, isEnded, keepSubscription } from '../billing/subscription.ts'
import { attachCard, type CardDetails, createCard } from '../cards.ts'
import type { Parameters } from '../http/parameters.ts'
import { invalid, missing } from '../http/stripe-error.ts'
import type { Kept } from '../store.ts'
import type { Decline, Invoice, PaymentMethod, PortalSession, Subscription } from '../stripe-objects.ts'
import { newId, randomText } from '../text.ts'
import type { World } from '../world.ts'
import { getCustomer, keepCustomer } from './customers.ts'
import { getRunningSubscription, setCancelAtPeriodEnd } from './subscriptions.ts'

/** How long the portal stays open without being used, in milliseconds of real time. */
export const PORTAL_LIFE = 60 * 60 * 1000

export function createPortalSession(world: World, params: Parameters): PortalSession {
  const customer = getCustomer(world, params.requiredText('customer'), 'customer')
  const token = randomText(48)
  params.ignore('configuration', 'locale', 'flow_data')
  const body: PortalSession = {
    id: newId('bps'),
    object: 'billing_portal.session',
    configuration: 'bpc_sandbox',
    created: world.clock.now(),
    customer: customer.body.id,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: params.url('return_url') ?? null,
    url: `${world.pagesUrl}/portal/${token}`,
  }
  const hidden = { token, usableUntil: world.clock.outside() + PORTAL_LIFE }
  world.store.keep(body, hidden, { customer: customer.body.id, lookup: token })
  return body
}

/** Makes a new card the default of the customer and of the running subscriptions. */
export function setDefaultCard(world: World, customerId: string, details: CardDetails, name: string): void {
  const customer = getCustomer(world, customerId)
  const before = structuredClone(customer.body)
  const card = createCard(world, details, { name, email: customer.body.email })
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

/** Charges an open invoice. Returns the decline if there is one. */
export function payFromPortal(world: World, customerId: string, invoiceId: string): Decline | undefined {
  const invoice = getInvoice(world, invoiceId)
  if (invoice.body.customer !== customerId) throw missing('invoice', invoiceId)
  if (invoice.body.status === 'paid') return undefined
  if (invoice.body.status !== 'open') throw invalid('This invoice is not open.')
  return settleInvoice(world, invoice)
}

/** Sets whether the next renewals fail. */
export function setRenewals(world: World, customerId: string, wish: string): void {
  const { body, hidden } = getCustomer(world, customerId)
  if (wish === 'fail' || wish === 'fail_once') hidden.renewals = wish
  else delete hidden.renewals
  world.store.keep(body, hidden)
}

export interface PortalState {
  session: PortalSession
  customer: Kept<'customer'>
  /** The running subscription, else the newest one. */
  subscription: Subscription | undefined
  card: PaymentMethod | undefined
  invoices: Invoice[]
}

const LISTED_INVOICES = 100

/** Returns what the portal shows; undefined if the customer was deleted. */
export function readPortalState(world: World, session: PortalSession): PortalState | undefined {
  const { store } = world
  const customer = store.find('customer', session.customer)
  if (!customer || 'deleted' in customer.body) return undefined
  const subscriptions = store.list('subscription', { customer: session.customer }).map(({ body }) => body)
  const subscription = subscriptions.find((one) => !isEnded(one)) ?? subscriptions[0]
  const cardId = subscription ? cardFor(world, subscription) : customer.body.invoice_settings.default_payment_method
  return {
    session,
    customer,
    subscription,
    card: typeof cardId === 'string' ? store.find('payment_method', cardId)?.body : undefined,
    invoices: store.list('invoice', { customer: session.customer }, LISTED_INVOICES).map(({ body }) => body),
  }
}
