import { describeRhythm } from '../billing/describe-line.ts'
import { formatMoney } from '../format.ts'
import { describeBilling } from '../resources/line-items.ts'
import type { Kept } from '../store/store.ts'
import { type CardForm, cardFields, errorText, type FieldError, invalid } from './card-fields.ts'
import { type Html, html } from './html.ts'
import { icons, logo, page } from './page.ts'

interface CheckoutPageOptions {
  base: string
  session: Kept<'checkout.session'>
  email: string
  /** What the customer has from before, in cents; a subscription takes from it first. */
  credit: number
  form: CardForm
  error?: FieldError
}

/** What is bought on the left, the card on the right. */
export function checkoutPage({ base, session, email, credit, form, error }: CheckoutPageOptions): string {
  const { body, hidden } = session
  const total = formatMoney(body.amount_total ?? 0, body.currency ?? 'usd')
  const isSubscription = body.mode === 'subscription'
  const applied = isSubscription ? Math.min(credit, body.amount_total ?? 0) : 0
  const due = formatMoney((body.amount_total ?? 0) - applied, body.currency ?? 'usd')
  const name = hidden.lineItems.map(({ description }) => description).join(', ')
  const isEmailKnown = body.customer_details !== null || body.customer_email !== null
  const [line] = hidden.lineItems
  const rhythm = line && describeRhythm(line.price)
  return page({
    title: isSubscription ? `Subscribe to ${name}` : `Pay for ${name}`,
    base,
    content: html`<main class="checkout">
<section class="summary" aria-label="What you buy"><div class="column">
<p class="top">${body.cancel_url && html`<a class="back" href="${body.cancel_url}" aria-label="Back to Alcove">${icons.back}</a>`}${logo}</p>
<h1>${isSubscription ? 'Subscribe to' : 'Pay for'} ${name}</h1>
<p class="price"><span>${total}</span> ${rhythm ? html`<small>per<br>${rhythm}</small>` : html`<small>paid<br>once</small>`}</p>
${summaryLines(session, applied)}
</div></section>
<section class="pay" aria-labelledby="pay-title"><div class="column">
<h2 id="pay-title">Pay with card</h2>
<form method="post" action="${base}/checkout/${body.id}" data-card-form novalidate>
<div class="field"><label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="200" value="${email}"${isEmailKnown ? html` readonly` : html` required`}${invalid('email', error)}>
${error?.field === 'email' && errorText(error)}</div>
${cardFields(form, error)}
<button class="button primary" type="submit" data-busy="Paying…">${icons.lock}<span>${isSubscription ? `Subscribe for ${due}` : `Pay ${due}`}</span></button>
<p class="note">${
      isSubscription
        ? `Renews for ${total} each ${rhythm} until you cancel. You can cancel any time in Account.`
        : 'You pay once. Nothing renews.'
    }</p>
</form>
</div></section>
</main>`,
  })
}

function summaryLines({ body, hidden }: Kept<'checkout.session'>, applied: number): Html {
  const currency = body.currency ?? 'usd'
  const row = (label: Html | string, amount: number, kind = '') =>
    html`<div class="row ${kind}"><dt>${label}</dt><dd>${formatMoney(amount, currency)}</dd></div>`
  return html`<dl class="lines">${hidden.lineItems.map((line) =>
    row(
      html`${line.description}${(line.quantity ?? 1) > 1 && ` × ${line.quantity}`}<small>${describeBilling(line)}</small>`,
      line.amount_total,
    ),
  )}
${row('Subtotal', body.amount_subtotal ?? 0)}
${row('Tax', body.total_details?.amount_tax ?? 0)}
${applied > 0 && row('Applied credit', -applied)}
${row('Total due today', (body.amount_total ?? 0) - applied, 'total')}</dl>`
}
