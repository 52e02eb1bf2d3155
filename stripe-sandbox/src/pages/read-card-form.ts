import { type CardDetails, fullYear } from '../cards/check-card.ts'
import { StripeError } from '../http/stripe-error.ts'
import { type CardForm, type FieldError, formFields } from './card-fields.ts'
import { isCountry } from './countries.ts'

const MAX_NAME = 200

export interface ReadCard {
  form: CardForm
  card: CardDetails
}

/** What was typed, and what it means. */
export function readCardForm(fields: ReadonlyMap<string, string>): ReadCard {
  const field = (name: string) => (fields.get(name) ?? '').trim()
  const form = { number: field('number'), expiry: field('expiry'), name: field('name'), country: field('country') }
  const [, month = '', year = ''] = /^(\d{1,2})\s*\/?\s*(\d{2}|\d{4})$/.exec(form.expiry) ?? []
  return {
    form,
    card: {
      number: form.number.replace(/[\s-]/g, ''),
      expiryMonth: Number(month || Number.NaN),
      expiryYear: fullYear(Number(year || Number.NaN)),
      cvc: field('cvc'),
    },
  }
}

/** The first thing missing, from the top. */
export function findMissing({ form, card }: ReadCard): FieldError | undefined {
  if (form.number === '') return { field: 'number', message: 'Enter the card number.' }
  if (Number.isNaN(card.expiryMonth)) return { field: 'expiry', message: 'Enter the expiry date as MM / YY.' }
  if (card.cvc === '') return { field: 'cvc', message: 'Enter the security code.' }
  if (form.name === '') return { field: 'name', message: 'Enter the name on the card.' }
  if (form.name.length > MAX_NAME) return { field: 'name', message: 'This name is too long.' }
  if (!isCountry(form.country)) return { field: 'country', message: 'Choose a country.' }
  return undefined
}

/** An error of the card, at its field; what is not about the card is thrown on. */
export function fieldErrorOf(error: unknown): FieldError {
  if (!(error instanceof StripeError) || error.details.type !== 'card_error') throw error
  const { param, code, message } = error.details
  if (code === 'incorrect_cvc') return { field: 'cvc', message }
  if (code === 'expired_card') return { field: 'expiry', message }
  return { field: (param && formFields[param as keyof typeof formFields]) || 'number', message }
}
