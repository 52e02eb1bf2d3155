import type { createSetupIntent as call } from '@alcove/contract/billing'
import type { Operation } from '../../../platform/http/api.ts'
import { getPayingCustomer } from '../paying-customer.ts'

/** Lets the browser hand a new card to the card provider; its number never comes here. */
export const createSetupIntent: Operation<typeof call> = async (ctx) => {
  const customer = await getPayingCustomer(ctx)
  const { client_secret } = await ctx.payments.ask((stripe) =>
    stripe.setupIntents.create({ customer, allowed_payment_method_types: ['card'], usage: 'off_session' }),
  )
  if (!client_secret) throw new Error('Stripe gave no secret for the card form')
  return { client_secret }
}
