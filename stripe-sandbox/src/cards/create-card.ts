import { newId } from '../ids.ts'
import type { Kept } from '../store/store.ts'
import type { PaymentMethod } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { type CardDetails, checkCard } from './check-card.ts'
import { behaviourOf, brandOf } from './test-cards.ts'

export interface CardHolder {
  name?: string | null
  email?: string | null
  country?: string | null
}

/** Makes a payment method of a card. Its number is forgotten here: only the last four digits are kept. */
export function createCard(world: World, card: CardDetails, holder: CardHolder = {}): Kept<'payment_method'> {
  checkCard(card, world.clock.now())
  const brand = brandOf(card.number)
  const body: PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: {
      address: holder.country
        ? { city: null, country: holder.country, line1: null, line2: null, postal_code: null, state: null }
        : null,
      email: holder.email ?? null,
      name: holder.name ?? null,
      phone: null,
      tax_id: null,
    },
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: brand,
      exp_month: card.expiryMonth,
      exp_year: card.expiryYear,
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: world.clock.now(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
  const hidden = { card: behaviourOf(card.number) }
  world.store.keep(body, hidden)
  return { body, hidden }
}
