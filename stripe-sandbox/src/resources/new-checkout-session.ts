import type { Parameters } from '../http/parameters.ts'
import { invalid } from '../http/stripe-error.ts'
import type { CheckoutSession } from '../stripe-objects.ts'
import { randomText } from '../text.ts'
import type { World } from '../world.ts'

const DAY = 86_400
const MIN_LIFE = 30 * 60

interface NewSession {
  mode: 'payment' | 'subscription'
  total: number
  currency: string
}

/** Returns a new open session. */
export function newCheckoutSession(
  world: World,
  params: Parameters,
  { mode, total, currency }: NewSession,
): CheckoutSession {
  const successUrl = params.url('success_url')
  if (!successUrl) throw params.missing('success_url')
  const id = `cs_test_${randomText(58)}`
  const now = world.clock.now()
  params.texts('allowed_payment_method_types')
  params.ignore('locale', 'payment_method_types', 'billing_address_collection', 'submit_type', 'customer_update')
  params.ignore('customer_creation', 'saved_payment_method_options', 'payment_method_collection', 'ui_mode', 'currency')
  params.ignore(
    'automatic_tax',
    'allow_promotion_codes',
    'payment_method_options',
    'custom_text',
    'phone_number_collection',
  )
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: params.url('cancel_url') ?? null,
    client_reference_id: params.text('client_reference_id') || null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: mode === 'payment' ? 'if_required' : null,
    customer_details: null,
    customer_email: null,
    discounts: [],
    expires_at: readExpiry(params, now),
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: params.metadata(),
    mode,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: mode === 'subscription' ? 'always' : 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${world.pagesUrl}/checkout/${id}`,
    wallet_options: null,
  }
}

function readExpiry(params: Parameters, now: number): number {
  const expiresAt = params.integer('expires_at') ?? now + DAY
  if (expiresAt < now + MIN_LIFE || expiresAt > now + DAY) {
    throw invalid('`expires_at` must be between 30 minutes and 24 hours from now.', 'expires_at')
  }
  return expiresAt
}
