import { attachCard, createCard, fullYear } from '../cards.ts'
import type { Parameters } from '../http/parameters.ts'
import { invalid, missing } from '../http/stripe-error.ts'
import type { Kept } from '../store.ts'
import type { PaymentMethod } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { getCustomer } from './customers.ts'

/** Stripe's payment methods for tests, and the card number of each. */
const readyMade: Readonly<Record<string, string>> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_amex: '378282246310005',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_chargeCustomerFail: '4000000000000341',
}

export function getCard(world: World, id: string, param = 'id'): Kept<'payment_method'> {
  const number = readyMade[id]
  if (number) {
    const expiryYear = new Date(world.clock.now() * 1000).getUTCFullYear() + 5
    return createCard(world, { number, expiryMonth: 12, expiryYear, cvc: id === 'pm_card_amex' ? '1234' : '123' })
  }
  const kept = world.store.find('payment_method', id)
  if (!kept) throw missing('PaymentMethod', id, param, param === 'id' ? 404 : 400)
  return kept
}

/** `params` are those of the call or the `payment_method_data` of another one. */
export function createPaymentMethod(world: World, params: Parameters): Kept<'payment_method'> {
  const type = params.choice('type', ['card'])
  if (!type) throw params.missing('type')
  const card = params.group('card')
  if (!card) throw params.missing('card')
  const details = params.group('billing_details')
  details?.ignore('phone', 'address')
  params.ignore('allow_redisplay')
  return createCard(
    world,
    {
      number: card.requiredText('number').replace(/[\s-]/g, ''),
      expiryMonth: card.integer('exp_month') ?? 0,
      expiryYear: fullYear(card.integer('exp_year') ?? 0),
      cvc: card.text('cvc') ?? '',
    },
    { name: details?.text('name'), email: details?.text('email') },
  )
}

export function attachPaymentMethod(world: World, id: string, params: Parameters): PaymentMethod {
  const card = getCard(world, id)
  const customer = getCustomer(world, params.requiredText('customer'), 'customer')
  if (card.body.customer && card.body.customer !== customer.body.id) {
    throw invalid('The payment method you provided has already been attached to a customer.', 'payment_method')
  }
  attachCard(world, card, customer.body.id)
  return card.body
}
