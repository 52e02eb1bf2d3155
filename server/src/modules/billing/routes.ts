import {
  confirmCheckout as confirmCheckoutCall,
  createCheckoutSession as createCheckoutSessionCall,
  createSetupIntent as createSetupIntentCall,
  getDashboard as getDashboardCall,
  getPaymentSettings as getPaymentSettingsCall,
  listPlans as listPlansCall,
  revertToFree as revertToFreeCall,
  updatePaymentMethod as updatePaymentMethodCall,
} from '@alcove/contract/billing'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { bindCall } from '../../platform/http/api.ts'
import { handleBillingJobs } from './billing-jobs.ts'
import { confirmCheckout } from './checkout/confirm-checkout.ts'
import { createCheckoutSession } from './checkout/create-checkout-session.ts'
import { createSetupIntent } from './checkout/create-setup-intent.ts'
import { revertToFree } from './checkout/revert-to-free.ts'
import { updatePaymentMethod } from './checkout/update-payment-method.ts'
import { getDashboard } from './get-dashboard.ts'
import { getPaymentSettings } from './get-payment-settings.ts'
import { listPlans } from './list-plans.ts'
import { portalRoute } from './open-portal.ts'
import { webhookRoute } from './subscriptions/webhook.ts'

export function billingRoutes(api: FastifyInstance, services: Services): void {
  bindCall(api, services, listPlansCall, listPlans)
  bindCall(api, services, getPaymentSettingsCall, getPaymentSettings)
  bindCall(api, services, createCheckoutSessionCall, createCheckoutSession)
  bindCall(api, services, confirmCheckoutCall, confirmCheckout)
  bindCall(api, services, getDashboardCall, getDashboard)
  bindCall(api, services, revertToFreeCall, revertToFree)
  bindCall(api, services, createSetupIntentCall, createSetupIntent)
  bindCall(api, services, updatePaymentMethodCall, updatePaymentMethod)
  portalRoute(api, services)
  webhookRoute(api, services)
  handleBillingJobs(services)
}
