import { isPaidPlan } from '@alcove/contract/plans'
import type { UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { paymentsOff } from '../../platform/payments/stripe-refusals.ts'
import { customerIdOf, findBilling } from './customers.ts'

/** The customer of a user who has been to pay; nobody else has a card to change. */
export async function getPayingCustomer({ db, payments, user }: UserContext): Promise<string> {
  if (payments.mode === 'off') throw paymentsOff()
  const customerId = customerIdOf(await findBilling(db, user.id), payments)
  if (customerId) return customerId
  throw new AppError(
    'state_conflict',
    isPaidPlan(user.planName)
      ? 'Your plan was given to you by the operator of this server, so there is no card to change.'
      : 'There is nothing to pay for yet. Please choose a plan first.',
  )
}
