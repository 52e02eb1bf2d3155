import { type CardDetails, type CardField, fullYear } from '../cards.ts'
import { StripeError } from '../http/stripe-error.ts'
import { type Html, html } from './page.ts'

/** What was typed into the card form. The security code is never shown again. */
export interface CardForm {
  number: string
  expiry: string
  name: string
}

export const EMPTY_CARD_FORM: CardForm = { number: '', expiry: '', name: '' }

type FormField = 'number' | 'expiry' | 'cvc' | 'name' | 'email'

export interface FieldError {
  field: FormField
  message: string
}

/** The form field that belongs to each field of a card. */
const formFields: Readonly<Record<CardField, FormField>> = {
  number: 'number',
  exp_month: 'expiry',
  exp_year: 'expiry',
  cvc: 'cvc',
}

/** Returns the inputs for a card, with the error at its field. */
export function cardInputs({ number, expiry, name }: CardForm, error: FieldError | undefined): Html {
  const numeric = html`inputmode="numeric" required`
  return html`${labelled('number', 'Card number', html`${numeric} autocomplete="cc-number" maxlength="23" value="${number}"`, error)}
${labelled('expiry', 'Expiry date, month and year', html`${numeric} autocomplete="cc-exp" placeholder="MM / YY" maxlength="9" value="${expiry}"`, error)}
${labelled('cvc', 'Security code (CVC)', html`${numeric} autocomplete="cc-csc" maxlength="4"`, error)}
${labelled('name', 'Name on card', html`autocomplete="cc-name" maxlength="200" required value="${name}"`, error)}`
}

/** Returns an input with its label. A field with an error is marked, described and focused. */
export function labelled(field: FormField, label: string, attributes: Html, error: FieldError | undefined): Html {
  const isWrong = error?.field === field
  return html`<label for="${field}">${label}</label>
<input name="${field}" id="${field}" ${attributes}${isWrong && html` aria-invalid="true" aria-describedby="error" autofocus`}>
${isWrong && html`<p class="error" id="error" role="alert">${error.message}</p>`}`
}

const MAX_NAME = 200

export interface SubmittedCard {
  form: CardForm
  card: CardDetails
}

/** Reads the card from a submitted form. */
export function readCardForm(fields: ReadonlyMap<string, string>): SubmittedCard {
  const field = (name: string) => (fields.get(name) ?? '').trim()
  const form = { number: field('number'), expiry: field('expiry'), name: field('name') }
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

/** Returns an error for the first field that is missing. */
export function findMissing({ form, card }: SubmittedCard): FieldError | undefined {
  if (form.number === '') return { field: 'number', message: 'Enter the card number.' }
  if (Number.isNaN(card.expiryMonth)) return { field: 'expiry', message: 'Enter the expiry date as MM / YY.' }
  if (card.cvc === '') return { field: 'cvc', message: 'Enter the security code.' }
  if (form.name === '') return { field: 'name', message: 'Enter the name on the card.' }
  if (form.name.length > MAX_NAME) return { field: 'name', message: 'This name is too long.' }
  return undefined
}

/** Turns an error about the card into one at its field, and rethrows any other error. */
export function fieldErrorOf(error: unknown): FieldError {
  if (!(error instanceof StripeError) || error.details.type !== 'card_error') throw error
  const { param, code, message } = error.details
  if (code === 'incorrect_cvc') return { field: 'cvc', message }
  if (code === 'expired_card') return { field: 'expiry', message }
  return { field: (param && formFields[param as keyof typeof formFields]) || 'number', message }
}
