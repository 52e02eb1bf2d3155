import type { Kept } from '../store/store.ts'
import type { Decline } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { attemptPayment } from './attempt-payment.ts'
import { cancelNow } from './cancel-now.ts'
import { cardFor, isEnded, keepSubscription } from './keep-subscription.ts'
import { subscriptionIdOf } from './subscription-id-of.ts'

interface SettleOptions {
  /** Another card than the one that pays otherwise. */
  cardId?: string
  isRenewal?: boolean
  isRetried?: boolean
}

/** Tries to have an invoice paid, and brings its subscription into the state that follows. */
export function settleInvoice(
  world: World,
  invoice: Kept<'invoice'>,
  options: SettleOptions = {},
): Decline | undefined {
  const subscriptionId = subscriptionIdOf(invoice.body)
  const subscription = subscriptionId ? world.store.find('subscription', subscriptionId) : undefined
  const cardId = options.cardId ?? (subscription ? cardFor(world, subscription.body) : cardOfCustomer(world, invoice))
  const decline = attemptPayment(world, invoice, { ...options, cardId })
  if (!subscription || isEnded(subscription.body)) return decline
  const before = structuredClone(subscription.body)
  if (!decline) {
    if (!hasOpenInvoice(world, subscription.body.id)) subscription.body.status = 'active'
  } else if (options.isRetried) {
    if (invoice.body.next_payment_attempt === null) {
      cancelNow(world, subscription, 'payment_failed')
      return decline
    }
    subscription.body.status = 'past_due'
  }
  keepSubscription(world, subscription, before)
  return decline
}

function cardOfCustomer(world: World, { body }: Kept<'invoice'>): string | null {
  const customer = world.store.find('customer', body.customer as string)
  return (customer?.body.invoice_settings?.default_payment_method as string | null | undefined) ?? null
}

function hasOpenInvoice(world: World, subscriptionId: string): boolean {
  return world.store.list('invoice', { lookup: subscriptionId }).some(({ body }) => body.status === 'open')
}
