import { CHECKOUT_CANCELED, CHECKOUT_RETURN, type Plan } from '@alcove/contract/plans'
import type Stripe from 'stripe'
import type { UserContext } from '../../../context.ts'
import { isBusy, isMissing, isRefused } from '../../../platform/payments/stripe.ts'
import { metadataOf } from '../catalogue/sold-plan.ts'
import { findBilling } from '../customers.ts'
import { ensurePrice } from '../prices.ts'

/** A requested purchase. */
export interface Purchase {
  readonly plan: Plan
  /** The idempotency key of the client. */
  readonly attemptId: string | undefined
  readonly customerId: string
}

/** The last payment page of a user, and how many were opened before. */
interface LastCheckout {
  number: number
  checkout: Stripe.Checkout.Session | undefined
}

export async function findCheckout({ db, payments, user }: UserContext, customerId: string): Promise<LastCheckout> {
  const row = await findBilling(db, user.id)
  const id = row?.customer_id === customerId ? row.checkout_id : null
  return { number: row?.checkout_number ?? 0, checkout: id ? await retrieveCheckout({ payments }, id) : undefined }
}

/** Returns a payment page by its id, or undefined if Stripe doesn't know it. */
export async function retrieveCheckout(
  { payments }: Pick<UserContext, 'payments'>,
  id: string,
): Promise<Stripe.Checkout.Session | undefined> {
  try {
    return await payments.ask((stripe) => stripe.checkout.sessions.retrieve(id))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/**
 * Returns the URL of a payment page. Reuses an open page for the same plan, and first closes one for another plan.
 * Returns undefined if closing fails because it was just paid, or if another tab was faster.
 */
export async function openCheckout(
  ctx: UserContext,
  purchase: Purchase,
  { number, checkout }: LastCheckout,
): Promise<string | undefined> {
  const { payments, user } = ctx
  const price = await payments.ask((stripe) => ensurePrice(stripe, purchase.plan))
  if (checkout?.status === 'open') {
    if (checkout.url && checkout.metadata?.priceId === price.id) return checkout.url
    if (!(await closeCheckout(ctx, checkout.id))) return undefined
  }
  // Requests for the same purchase use the same idempotency key, so that a double click opens one page.
  const idempotencyKey = `checkout-${user.id}-${number}-${price.id}-${purchase.attemptId ?? ''}`
  let opened: Stripe.Checkout.Session
  try {
    opened = await payments.ask((stripe) =>
      stripe.checkout.sessions.create(describeCheckout(ctx, purchase, price), { idempotencyKey }),
    )
  } catch (error) {
    // Stripe remembers failures by key, so the next attempt needs another one.
    if (!isBusy(error)) await keepCheckout(ctx, number, null)
    throw error
  }
  if (await keepCheckout(ctx, number, opened.id)) return opened.url ?? undefined
  const kept = await findBilling(ctx.db, user.id)
  if (kept?.checkout_id === opened.id) return opened.url ?? undefined
  await closeCheckout(ctx, opened.id)
  return undefined
}

/** Closes a payment page. Returns whether it was still open. */
export async function closeCheckout({ payments }: Pick<UserContext, 'payments'>, id: string): Promise<boolean> {
  try {
    await payments.ask((stripe) => stripe.checkout.sessions.expire(id))
    return true
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
}

/** If two requests open a page at the same time, the first one's is kept. */
async function keepCheckout({ db, user }: UserContext, number: number, id: string | null): Promise<boolean> {
  const kept = await db
    .updateTable('billing_customers')
    .set({ checkout_id: id, checkout_number: number + 1 })
    .where('user_id', '=', user.id)
    .where('checkout_number', '=', number)
    .executeTakeFirst()
  return kept.numUpdatedRows > 0n
}

function describeCheckout(
  { config, user }: UserContext,
  { plan, customerId, attemptId }: Purchase,
  price: Stripe.Price,
): Stripe.Checkout.SessionCreateParams {
  const metadata = { userId: user.id, ...metadataOf(plan), priceId: price.id }
  return {
    customer: customerId,
    client_reference_id: user.id,
    line_items: [{ price: price.id, quantity: 1 }],
    allowed_payment_method_types: ['card'],
    success_url: `${config.publicUrl}/account?${CHECKOUT_RETURN}={CHECKOUT_SESSION_ID}`,
    cancel_url: `${config.publicUrl}/subscriptions?${CHECKOUT_RETURN}=${CHECKOUT_CANCELED}`,
    metadata,
    ...modeFor(plan, attemptId ? { ...metadata, attemptId } : metadata),
  }
}

function modeFor(plan: Plan, metadata: Record<string, string>): Partial<Stripe.Checkout.SessionCreateParams> {
  if (plan.period !== 'Lifetime') return { mode: 'subscription', subscription_data: { metadata } }
  return {
    mode: 'payment',
    payment_intent_data: { metadata },
    // One-time payments get an invoice too.
    invoice_creation: { enabled: true, invoice_data: { metadata } },
  }
}
