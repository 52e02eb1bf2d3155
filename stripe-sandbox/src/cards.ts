import { emit } from './events.ts'
import { StripeError } from './http/stripe-error.ts'
import type { Kept } from './store.ts'
import type { CardBehaviour, Decline, PaymentMethod } from './stripe-objects.ts'
import { newId } from './text.ts'
import type { World } from './world.ts'

export interface CardDetails {
  number: string
  expiryMonth: number
  expiryYear: number
  cvc: string
}

/** A field of a card, as errors name it. */
export type CardField = 'number' | 'exp_month' | 'exp_year' | 'cvc'

/** Throws if the details can't belong to any card. `now` is in seconds. */
function checkCard({ number, expiryMonth, expiryYear, cvc }: CardDetails, now: number): void {
  if (!/^\d{12,19}$/.test(number)) throw wrong('number', 'invalid_number', 'Your card number is not a valid number.')
  if (!passesLuhn(number)) throw wrong('number', 'incorrect_number', 'Your card number is incorrect.')
  if (!Number.isInteger(expiryMonth) || expiryMonth < 1 || expiryMonth > 12) {
    throw wrong('exp_month', 'invalid_expiry_month', "Your card's expiration month is invalid.")
  }
  if (!Number.isInteger(expiryYear) || isPast(expiryMonth, expiryYear, now) || expiryYear > yearOf(now) + 50) {
    throw wrong('exp_year', 'invalid_expiry_year', "Your card's expiration year is invalid.")
  }
  if (!/^\d+$/.test(cvc) || cvc.length !== (brandOf(number) === 'amex' ? 4 : 3)) {
    throw wrong('cvc', 'invalid_cvc', "Your card's security code is invalid.")
  }
}

/** Returns whether a card has expired. It is valid to the end of its month. */
export function isPast(month: number, year: number, now: number): boolean {
  return Date.UTC(year, month, 1) / 1000 <= now
}

/** Completes a year of two digits: 29 becomes 2029. */
export function fullYear(year: number): number {
  return year < 100 ? 2000 + year : year
}

function yearOf(seconds: number): number {
  return new Date(seconds * 1000).getUTCFullYear()
}

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, sign, index) => {
    const digit = Number(sign) * (index % 2 === 1 ? 2 : 1)
    return total + (digit > 9 ? digit - 9 : digit)
  }, 0)
  return sum % 10 === 0
}

function wrong(param: CardField, code: string, message: string): StripeError {
  return new StripeError(402, { type: 'card_error', code, message, param })
}

interface CardHolder {
  name?: string | null
  email?: string | null
}

/** Creates a payment method from a card. Stores only the last four digits of its number. */
export function createCard(world: World, card: CardDetails, holder: CardHolder = {}): Kept<'payment_method'> {
  checkCard(card, world.clock.now())
  const brand = brandOf(card.number)
  const body: PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: {
      address: null,
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

/** Attaches a card to a customer. Throws if the card is declined. */
export function attachCard(world: World, card: Kept<'payment_method'>, customerId: string): void {
  const { body, hidden } = card
  if (body.customer === customerId) return
  if (hidden.card.onAttach) throw declineError(hidden.card.onAttach)
  body.customer = customerId
  world.store.keep(body, hidden, { customer: customerId })
  emit(world, 'payment_method.attached', body)
}

export function declineError({ code, declineCode, message }: Decline): StripeError {
  return new StripeError(402, {
    type: 'card_error',
    code,
    message,
    ...(declineCode && { decline_code: declineCode }),
  })
}

const DECLINED = 'Your card was declined.'

function declined(declineCode: string, message = DECLINED): Decline {
  return { code: 'card_declined', declineCode, message }
}

const always = (decline: Decline): CardBehaviour => ({ onAttach: decline, onCharge: decline })

/** The test cards of Stripe that the sandbox knows. */
const behaviours: Readonly<Record<string, CardBehaviour>> = {
  '4242424242424242': {},
  '4000056655665556': {},
  '5555555555554444': {},
  '5200828282828210': {},
  '378282246310005': {},
  '371449635398431': {},
  '6011111111111117': {},
  '3056930009020004': {},
  '3566002020360505': {},
  '6200000000000005': {},
  '4000000000000002': always(declined('generic_decline')),
  '4000000000009995': always(declined('insufficient_funds', 'Your card has insufficient funds.')),
  '4000000000000069': always({ code: 'expired_card', message: 'Your card has expired.' }),
  '4000000000000127': always({ code: 'incorrect_cvc', message: "Your card's security code is incorrect." }),
  '4000000000000341': { onCharge: declined('generic_decline') },
}

/** Every other card is declined, so nobody can use a real one here. */
const realCard = always(
  declined(
    'test_mode_live_card',
    'Your card was declined. These are test payments, and this is not a test card: use 4242 4242 4242 4242.',
  ),
)

function behaviourOf(number: string): CardBehaviour {
  return behaviours[number] ?? realCard
}

const brands: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^(6011|64[4-9]|65)/, 'discover'],
  [/^(30[0-5]|36|38)/, 'diners'],
  [/^35/, 'jcb'],
  [/^62/, 'unionpay'],
]

function brandOf(number: string): string {
  return brands.find(([prefix]) => prefix.test(number))?.[1] ?? 'unknown'
}
