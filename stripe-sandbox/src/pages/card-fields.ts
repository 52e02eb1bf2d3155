import type { CardField } from '../cards/check-card.ts'
import { countries } from './countries.ts'
import { type Html, html } from './html.ts'
import { icons } from './page.ts'

/** What was typed into the card form. The security code is never shown again. */
export interface CardForm {
  number: string
  expiry: string
  name: string
  country: string
}

export type FormField = 'number' | 'expiry' | 'cvc' | 'name' | 'country' | 'email'

export interface FieldError {
  field: FormField
  message: string
}

/** Which field of the form an error of the API is about. */
export const formFields: Readonly<Record<CardField, FormField>> = {
  number: 'number',
  exp_month: 'expiry',
  exp_year: 'expiry',
  cvc: 'cvc',
}

/** Number, expiry and code as one box, then name and country. */
export function cardFields(form: CardForm, error: FieldError | undefined): Html {
  const isCard = error && ['number', 'expiry', 'cvc'].includes(error.field)
  return html`<fieldset class="field">
<legend>Card information</legend>
<div class="card-box">
<div class="with-mark"><input name="number" id="number" aria-label="Card number" placeholder="1234 1234 1234 1234" inputmode="numeric" autocomplete="cc-number" maxlength="23" required value="${form.number}"${invalid('number', error)}><span class="brand" aria-live="polite"></span></div>
<input name="expiry" id="expiry" aria-label="Expiry date, month and year" placeholder="MM / YY" inputmode="numeric" autocomplete="cc-exp" maxlength="9" required value="${form.expiry}"${invalid('expiry', error)}>
<div class="with-mark"><input name="cvc" id="cvc" aria-label="Security code (CVC)" placeholder="CVC" inputmode="numeric" autocomplete="cc-csc" maxlength="4" required${invalid('cvc', error)}>${icons.card}</div>
</div>
${isCard && errorText(error)}
</fieldset>
<div class="field"><label for="name">Name on card</label>
<input name="name" id="name" placeholder="Full name" autocomplete="cc-name" maxlength="200" required value="${form.name}"${invalid('name', error)}>
${error?.field === 'name' && errorText(error)}</div>
<div class="field"><label for="country">Country</label>
<div class="with-mark"><select name="country" id="country" autocomplete="country"${invalid('country', error)}>${countries.map(
    ([code, name]) => html`<option value="${code}"${code === form.country && html` selected`}>${name}</option>`,
  )}</select>${icons.choose}</div>
${error?.field === 'country' && errorText(error)}</div>`
}

/** What goes into the tag of a field that is wrong: it is marked, described, and gets the focus. */
export function invalid(field: FormField, error: FieldError | undefined): Html | false {
  return error?.field === field && html` aria-invalid="true" aria-describedby="error" autofocus`
}

export function errorText({ message }: FieldError): Html {
  return html`<p class="error" id="error" role="alert">${icons.alert}<span>${message}</span></p>`
}
