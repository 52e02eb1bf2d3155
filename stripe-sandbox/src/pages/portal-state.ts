import { cardFor, isEnded } from '../billing/keep-subscription.ts'
import type { Kept } from '../store/store.ts'
import type { Invoice, PaymentMethod, PortalSession, Subscription } from '../stripe-objects.ts'
import type { World } from '../world.ts'

export interface PortalState {
  session: PortalSession
  customer: Kept<'customer'>
  /** The one that runs, or else the last one. */
  subscription: Subscription | undefined
  card: PaymentMethod | undefined
  invoices: Invoice[]
}

const LISTED_INVOICES = 100

/** What the portal shows; undefined when the customer is gone. */
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
