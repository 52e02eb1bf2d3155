import type { Endpoint } from '../../platform/http/api.ts'
import { confirmCheckout, createCheckoutSession } from './checkout/checkout.ts'
import { createSetupIntent, updatePaymentMethod } from './checkout/payment-method.ts'
import { revertToFree } from './checkout/revert-to-free.ts'
import { getDashboard } from './dashboard.ts'
import { getPaymentSettings, listPlans } from './list-plans.ts'

/** The calls of this module. */
export const billingEndpoints: readonly Endpoint[] = [
  listPlans,
  getPaymentSettings,
  createCheckoutSession,
  confirmCheckout,
  getDashboard,
  revertToFree,
  createSetupIntent,
  updatePaymentMethod,
]
