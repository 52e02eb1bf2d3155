import { timingSafeEqual } from 'node:crypto'
import { attachCard, declineError } from '../cards.ts'
import { emit } from '../events.ts'
import type { Parameters } from '../http/parameters.ts'
import { invalid, missing, StripeError } from '../http/stripe-error.ts'
import type { Kept } from '../store.ts'
import type { SetupIntent } from '../stripe-objects.ts'
import { newId, randomText } from '../text.ts'
import type { World } from '../world.ts'
import { getCustomer } from './customers.ts'
import { createPaymentMethod, getCard } from './payment-methods.ts'

export function getSetupIntent(world: World, id: string): Kept<'setup_intent'> {
  const kept = world.store.find('setup_intent', id)
  if (!kept) throw missing('setupintent', id, 'intent')
  return kept
}

export function createSetupIntent(world: World, params: Parameters): SetupIntent {
  const customerId = params.text('customer')
  if (customerId !== undefined) getCustomer(world, customerId, 'customer')
  const id = newId('seti')
  params.texts('payment_method_types')
  params.texts('allowed_payment_method_types')
  params.ignore('automatic_payment_methods', 'payment_method_options')
  const body: SetupIntent = {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${randomText(24)}`,
    created: world.clock.now(),
    customer: customerId ?? null,
    description: params.text('description') || null,
    excluded_payment_method_types: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: params.metadata(),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: params.choice('usage', ['off_session', 'on_session']) ?? 'off_session',
  }
  world.store.keep(body, {}, { customer: body.customer })
  emit(world, 'setup_intent.created', body)
  return body
}

/** Throws if a browser doesn't have the client secret of the intent. */
export function assertClientSecret({ body }: Kept<'setup_intent'>, clientSecret: string): void {
  const [given, real] = [clientSecret, body.client_secret ?? ''].map((text) => Buffer.from(text))
  if (given && real && given.length === real.length && timingSafeEqual(given, real)) return
  throw invalid('The client_secret provided does not match the client_secret of the SetupIntent.', 'client_secret')
}

/** Saves a card for later payments. After a decline the intent stays open for another card. */
export function confirmSetupIntent(world: World, id: string, params: Parameters): SetupIntent | StripeError {
  const { body } = getSetupIntent(world, id)
  params.ignore('return_url', 'use_stripe_sdk', 'mandate_data')
  const data = params.group('payment_method_data')
  const cardId = params.text('payment_method')
  if (body.status === 'succeeded') {
    throw invalid(
      'You cannot confirm this SetupIntent because it has already succeeded.',
      undefined,
      'setup_intent_unexpected_state',
    )
  }
  if (!data && !cardId) throw params.missing('payment_method')
  const card = data ? createPaymentMethod(world, data) : getCard(world, cardId ?? '', 'payment_method')
  if (card.body.customer && card.body.customer !== body.customer) {
    throw invalid('The payment method belongs to another customer.', 'payment_method')
  }
  try {
    if (body.customer) attachCard(world, card, getCustomer(world, body.customer, 'customer').body.id)
    else if (card.hidden.card.onAttach) throw declineError(card.hidden.card.onAttach)
  } catch (error) {
    if (!(error instanceof StripeError) || error.details.type !== 'card_error') throw error
    return failSetup(world, body, error)
  }
  body.status = 'succeeded'
  body.payment_method = card.body.id
  body.last_setup_error = null
  world.store.keep(body, {})
  emit(world, 'setup_intent.succeeded', body)
  return body
}

function failSetup(world: World, body: SetupIntent, { details, status }: StripeError): StripeError {
  const { type, message } = details
  const code = details.code as 'card_declined'
  body.last_setup_error = { type, message, code, decline_code: details.decline_code }
  world.store.keep(body, {})
  emit(world, 'setup_intent.setup_failed', body)
  return new StripeError(status, { ...details, setup_intent: body })
}
