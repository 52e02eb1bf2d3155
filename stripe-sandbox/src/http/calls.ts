import { getPaymentIntent, updatePaymentIntent } from '../billing/payment-intents.ts'
import { getInvoice, payInvoice } from '../billing/settle-invoice.ts'
import { createPrice, createProduct, getPrice, updatePrice } from '../resources/catalog.ts'
import { createCheckoutSession, expireCheckoutSession, getCheckoutSession } from '../resources/checkout-sessions.ts'
import { createCustomer, deleteCustomer, getCustomer, updateCustomer } from '../resources/customers.ts'
import { attachPaymentMethod, createPaymentMethod, getCard } from '../resources/payment-methods.ts'
import { createPortalSession } from '../resources/portal.ts'
import {
  assertClientSecret,
  confirmSetupIntent,
  createSetupIntent,
  getSetupIntent,
} from '../resources/setup-intents.ts'
import {
  cancelSubscription,
  createSubscription,
  getSubscription,
  updateSubscription,
} from '../resources/subscriptions.ts'
import type { World } from '../world.ts'
import * as lists from './list-calls.ts'
import type { Parameters } from './parameters.ts'

export interface ApiCall {
  method: 'GET' | 'POST' | 'DELETE'
  /** As a Fastify route: `/v1/customers/:id`. */
  path: string
  /** Returns the response's object. A thrown error rolls the call back, a returned one doesn't. */
  handle(world: World, params: Parameters, id: string): object
}

const get = (path: string, handle: ApiCall['handle']): ApiCall => ({ method: 'GET', path: `/v1${path}`, handle })
const post = (path: string, handle: ApiCall['handle']): ApiCall => ({ method: 'POST', path: `/v1${path}`, handle })
const remove = (path: string, handle: ApiCall['handle']): ApiCall => ({ method: 'DELETE', path: `/v1${path}`, handle })

/** The calls that need the secret key. */
export const calls: readonly ApiCall[] = [
  post('/customers', createCustomer),
  get('/customers', lists.listCustomers),
  get('/customers/:id', (world, _, id) => world.store.find('customer', id)?.body ?? getCustomer(world, id).body),
  post('/customers/:id', (world, params, id) => updateCustomer(world, id, params)),
  remove('/customers/:id', (world, _, id) => deleteCustomer(world, id)),

  post('/products', createProduct),
  post('/prices', createPrice),
  get('/prices', lists.listPrices),
  get('/prices/:id', (world, _, id) => getPrice(world, id).body),
  post('/prices/:id', (world, params, id) => updatePrice(world, id, params)),

  post('/checkout/sessions', createCheckoutSession),
  get('/checkout/sessions', lists.listCheckoutSessions),
  get('/checkout/sessions/:id', (world, _, id) => getCheckoutSession(world, id).body),
  post('/checkout/sessions/:id/expire', (world, _, id) => expireCheckoutSession(world, id)),

  post('/subscriptions', createSubscription),
  get('/subscriptions', lists.listSubscriptions),
  get('/subscriptions/:id', (world, _, id) => getSubscription(world, id).body),
  post('/subscriptions/:id', (world, params, id) => updateSubscription(world, id, params)),
  remove('/subscriptions/:id', (world, params, id) => cancelSubscription(world, id, params)),

  get('/invoices', lists.listInvoices),
  get('/invoices/:id', (world, _, id) => getInvoice(world, id).body),
  post('/invoices/:id/pay', (world, params, id) => payInvoice(world, id, params)),

  post('/setup_intents', createSetupIntent),
  get('/setup_intents/:id', (world, params, id) => {
    params.ignore('client_secret')
    return getSetupIntent(world, id).body
  }),
  post('/setup_intents/:id/confirm', (world, params, id) => confirmSetupIntent(world, id, params)),

  post('/payment_methods', (world, params) => createPaymentMethod(world, params).body),
  get('/payment_methods', lists.listPaymentMethods),
  get('/payment_methods/:id', (world, _, id) => getCard(world, id).body),
  post('/payment_methods/:id/attach', (world, params, id) => attachPaymentMethod(world, id, params)),

  get('/payment_intents', lists.listPaymentIntents),
  get('/payment_intents/:id', (world, _, id) => getPaymentIntent(world, id).body),
  post('/payment_intents/:id', (world, params, id) => updatePaymentIntent(world, id, params)),

  post('/billing_portal/sessions', createPortalSession),
]

/** The calls that browsers make with the publishable key. An intent also needs its client secret. */
export const callsForBrowsers: readonly ApiCall[] = [
  post('/payment_methods', (world, params) => {
    params.ignore('key')
    return createPaymentMethod(world, params).body
  }),
  get('/setup_intents/:id', (world, params, id) => shownToBrowser(world, params, id)),
  post('/setup_intents/:id/confirm', (world, params, id) => {
    shownToBrowser(world, params, id)
    return confirmSetupIntent(world, id, params)
  }),
]

function shownToBrowser(world: World, params: Parameters, id: string): object {
  params.ignore('key')
  const kept = getSetupIntent(world, id)
  assertClientSecret(kept, params.requiredText('client_secret'))
  return kept.body
}
