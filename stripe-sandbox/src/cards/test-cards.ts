import type { CardBehaviour, Decline } from '../stripe-objects.ts'

const DECLINED = 'Your card was declined.'

function declined(declineCode: string, message = DECLINED): Decline {
  return { code: 'card_declined', declineCode, message }
}

const always = (decline: Decline): CardBehaviour => ({ onAttach: decline, onCharge: decline })

/** Stripe's own test cards, as far as we act like them. */
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

/** A card that is none of the test cards is declined, so that nobody's real one is of any use here. */
const realCard = always(
  declined(
    'test_mode_live_card',
    'Your card was declined. These are test payments, and this is not a test card: use 4242 4242 4242 4242.',
  ),
)

export function behaviourOf(number: string): CardBehaviour {
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

export function brandOf(number: string): string {
  return brands.find(([prefix]) => prefix.test(number))?.[1] ?? 'unknown'
}
