import { calls } from '@alcove/contract/calls'
import { isPaidPlan } from '@alcove/contract/plans'
import type Stripe from 'stripe'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { isMissing, paymentsOff } from '../../../platform/payments/stripe.ts'
import { customerIdOf, findBilling } from '../customers.ts'
import { idOf, isRunning, isUnpaid, openInvoices, readSubscriptionState } from '../subscriptions/subscription-state.ts'
import { syncSubscription } from '../subscriptions/sync-subscription.ts'

/** Lets the browser send a new card to the card provider. Its number never reaches this server. */
export const createSetupIntent = endpoint(calls.createSetupIntent, async (ctx) => {
  const customer = await getPayingCustomer(ctx)
  const { client_secret } = await ctx.payments.ask((stripe) =>
    stripe.setupIntents.create({ customer, allowed_payment_method_types: ['card'], usage: 'off_session' }),
  )
  if (!client_secret) throw new Error('Stripe gave no secret for the card form')
  return { client_secret }
})

/** Makes the new card the default, and first charges it for open invoices. */
export const updatePaymentMethod = endpoint(calls.updatePaymentMethod, async (ctx, { payment_method: id }) => {
  const customerId = await getPayingCustomer(ctx)
  await assertOwnCard(ctx, id, customerId)
  const unpaid = await ctx.payments.ask((stripe) => useCard(ctx, stripe, { customerId, id }))
  try {
    for (const invoice of unpaid) await ctx.payments.ask((stripe) => payInvoice(stripe, invoice, id))
  } finally {
    await syncSubscription(ctx, customerId)
  }
  return { message: 'Card updated successfully.' }
})

/** A card of another customer is 'not found'. */
async function assertOwnCard({ payments }: UserContext, id: string, customerId: string): Promise<void> {
  const card = /^pm_\w+$/.test(id) ? await payments.ask((stripe) => findCard(stripe, id)) : undefined
  if (!card || idOf(card.customer) !== customerId) throw new AppError('not_found', 'This card was not found.')
}

async function findCard(stripe: Stripe, id: string): Promise<Stripe.PaymentMethod | undefined> {
  try {
    return await stripe.paymentMethods.retrieve(id)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

interface NewCard {
  customerId: string
  id: string
}

/** Sets the card for the customer and the subscription. Returns the invoices that it still has to pay. */
async function useCard(ctx: UserContext, stripe: Stripe, { customerId, id }: NewCard): Promise<Stripe.Invoice[]> {
  await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: id } })
  const subscriptionState = await readSubscriptionState(ctx, stripe, customerId)
  const subscription = subscriptionState?.subscriptions.find(isRunning)
  if (!subscriptionState || !subscription) return []
  await stripe.subscriptions.update(subscription.id, { default_payment_method: id })
  return isUnpaid(subscription.status) ? openInvoices(subscriptionState.invoices, subscription.id) : []
}

/** An automatic retry by Stripe may have been faster. */
async function payInvoice(stripe: Stripe, { id }: Stripe.Invoice, card: string): Promise<void> {
  try {
    await stripe.invoices.pay(id, { payment_method: card })
  } catch (error) {
    const { status } = await stripe.invoices.retrieve(id)
    if (status === 'open') throw error
  }
}

/** Returns the customer of a user who has bought something before. Other users have no card to change. */
async function getPayingCustomer({ db, payments, user }: UserContext): Promise<string> {
  if (payments.mode === 'off') throw paymentsOff()
  const customerId = customerIdOf(await findBilling(db, user.id), payments)
  if (customerId) return customerId
  throw new AppError(
    'state_conflict',
    isPaidPlan(user.planName)
      ? 'The operator of this server granted your plan, so there is no card to change.'
      : 'You have no paid plan yet. Please choose a plan first.',
  )
}
