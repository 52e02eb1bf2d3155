import { differences, emit } from '../events/emit.ts'
import type { Kept } from '../store/store.ts'
import type { Decline, Metadata } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { chargeCard } from './charge-card.ts'

const DAY = 86_400
/** Days after the first failure on which the card is tried again; after the last one the subscription ends. */
const RETRY_DAYS = [1, 3, 5, 7]

interface AttemptOptions {
  cardId: string | null
  /** By itself, with nobody there: a failure is tried again. */
  isRenewal?: boolean
  isRetried?: boolean
  /** Of the payment intent. */
  metadata?: Metadata
}

/** Tries to have an open invoice paid, and says why not; what that means for the subscription is the caller's. */
export function attemptPayment(world: World, invoice: Kept<'invoice'>, options: AttemptOptions): Decline | undefined {
  const { body, hidden } = invoice
  const before = structuredClone(body)
  body.attempted = true
  if (body.amount_remaining > 0) {
    body.attempt_count++
    const { paymentIntent, decline } = chargeCard(world, {
      amount: body.amount_remaining,
      currency: body.currency,
      customerId: body.customer as string,
      cardId: options.cardId,
      description: `Invoice ${body.number}`,
      isRenewal: options.isRenewal,
      metadata: options.metadata,
      paymentIntentId: hidden.paymentIntent,
    })
    hidden.paymentIntent = paymentIntent.id
    if (decline) {
      if (options.isRetried) scheduleRetry(invoice, world.clock.now())
      world.store.keep(body, hidden, options.isRetried ? { dueAt: body.next_payment_attempt } : {})
      emit(world, 'invoice.payment_failed', body, differences(before, body))
      return decline
    }
  }
  body.status = 'paid'
  body.amount_paid = body.amount_due
  body.amount_remaining = 0
  body.auto_advance = false
  body.next_payment_attempt = null
  body.status_transitions.paid_at = world.clock.now()
  world.store.keep(body, hidden, { dueAt: null })
  emit(world, 'invoice.paid', body)
  emit(world, 'invoice.payment_succeeded', body)
  return undefined
}

function scheduleRetry({ body, hidden }: Kept<'invoice'>, now: number): void {
  hidden.firstFailureAt ??= now
  const days = RETRY_DAYS[hidden.failures++]
  body.next_payment_attempt = days === undefined ? null : hidden.firstFailureAt + days * DAY
}
