import { callsByArea } from '@alcove/contract/calls'
import { by, plain, type TimedCall, timed } from './timed-call.ts'

const { billing } = callsByArea

/** It runs in this very process, and its work is in the figure; the real provider takes as long as its network does. */
const SANDBOX = 'with the sandbox as card provider'

export const paymentCalls: TimedCall[] = [
  ...plain(billing.listPlans, billing.getPaymentSettings, billing.getDashboard),
  ...by(
    ({ payers }) => payers.buyer,
    timed(billing.createCheckoutSession, () => ({ planId: 2 }), SANDBOX),
    timed(billing.confirmCheckout, () => ({}), SANDBOX),
  ),
  ...by(
    ({ payers }) => payers.subscriber,
    timed(billing.getDashboard, () => ({}), `of a subscriber, ${SANDBOX}`),
    timed(billing.createSetupIntent, () => ({}), SANDBOX),
    timed(billing.updatePaymentMethod, (_own, { payers }) => ({ payment_method: payers.card }), SANDBOX),
    timed(billing.createCheckoutSession, () => ({ planId: 3 }), `another plan, ${SANDBOX}`),
    timed(billing.revertToFree, () => ({}), SANDBOX),
  ),
]
