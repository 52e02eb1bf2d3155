import { StripeError } from '../http/stripe-error.ts'
import { brandOf } from './test-cards.ts'

export interface CardDetails {
  number: string
  expiryMonth: number
  expiryYear: number
  cvc: string
}

/** The fields of a card form, as errors name them. */
export type CardField = 'number' | 'exp_month' | 'exp_year' | 'cvc'

/** Throws for what no card can have, before anyone asks a bank. `now` is in seconds. */
export function checkCard({ number, expiryMonth, expiryYear, cvc }: CardDetails, now: number): void {
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

/** A card is good to the end of its month. */
export function isPast(month: number, year: number, now: number): boolean {
  return Date.UTC(year, month, 1) / 1000 <= now
}

/** `29` is 2029. */
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
