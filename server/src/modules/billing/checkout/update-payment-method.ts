import type { updatePaymentMethod as call } from '@alcove/contract/billing'
import type Stripe from 'stripe'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Operation } from '../../../platform/http/api.ts'
import type { Realm } from '../../../platform/payments/payments.ts'
import { isMissing } from '../../../platform/payments/stripe-refusals.ts'
import { getPayingCustomer } from '../paying-customer.ts'
import { idOf, isRunning, isUnpaid, openInvoices, readSubscriptionState } from '../subscriptions/subscription-state.ts'
import { syncSubscription } from '../subscriptions/sync-subscription.ts'

/** Charges the user's new card from now on, first for what could not be charged before. */
export const updatePaymentMethod: Operation<typeof call> = async (ctx, { payment_method: id }) => {
  const customerId = await getPayingCustomer(ctx)
  await assertOwnCard(ctx, id, customerId)
  const unpaid = await ctx.payments.ask((stripe) => useCard(stripe, { customerId, id, realm: ctx.payments.realm }))
  try {
    for (const invoice of unpaid) await ctx.payments.ask((stripe) => payInvoice(stripe, invoice, id))
  } finally {
    await syncSubscription(ctx, customerId)
  }
  return { message: 'Card updated successfully.' }
}

/** Somebody else's card is not found, as all that is somebody else's. */
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
  realm: Realm
}

/** Makes the card the one of customer and subscription; answers what is still to be paid for with it. */
async function useCard(stripe: Stripe, { customerId, id, realm }: NewCard): Promise<Stripe.Invoice[]> {
  await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: id } })
  const subscriptionState = await readSubscriptionState(stripe, customerId, realm)
  const subscription = subscriptionState?.subscriptions.find(isRunning)
  if (!subscriptionState || !subscription) return []
  await stripe.subscriptions.update(subscription.id, { default_payment_method: id })
  return isUnpaid(subscription.status) ? openInvoices(subscriptionState.invoices, subscription.id) : []
}

/** Another try, as Stripe's own, may have been first. */
async function payInvoice(stripe: Stripe, { id }: Stripe.Invoice, card: string): Promise<void> {
  try {
    await stripe.invoices.pay(id, { payment_method: card })
  } catch (error) {
    const { status } = await stripe.invoices.retrieve(id)
    if (status === 'open') throw error
  }
}
