import { describeRhythm, nameOfPrice } from '../billing/describe-line.ts'
import { itemOf } from '../billing/keep-subscription.ts'
import { formatDate, formatMoney } from '../format.ts'
import type { World } from '../world.ts'
import { type CardForm, cardFields, type FieldError } from './card-fields.ts'
import { clockCard } from './clock-card.ts'
import { type Html, html } from './html.ts'
import { icons, logo, page } from './page.ts'
import type { PortalState } from './portal-state.ts'

interface PortalPageOptions {
  world: World
  base: string
  /** The address of the portal, without a slash at its end. */
  address: string
  state: PortalState
  form: CardForm
  error?: FieldError
  /** What has just been done, or why it was not. */
  notice?: { text: string; isError?: boolean }
}

/** What a customer does about the subscription without us: card, cancelling, invoices; and the test clock. */
export function portalPage(options: PortalPageOptions): string {
  const { base, state, notice } = options
  const { customer, session } = state
  return page({
    title: 'Billing',
    base,
    content: html`<main class="portal">
<header><p class="top">${logo}</p>
${session.return_url && html`<a class="back" href="${session.return_url}">${icons.back}<span>Back to Alcove</span></a>`}</header>
<h1>Billing</h1>
<p class="who">${customer.body.email}</p>
${notice && html`<p class="notice${notice.isError && ' bad'}" role="${notice.isError ? 'alert' : 'status'}">${notice.text}</p>`}
<div class="columns"><div>
${planCard(options)}
${paymentCard(options)}
${invoicesCard(options)}
</div><div>${clockCard(options)}</div></div>
</main>`,
  })
}

const statuses: Readonly<Record<string, string>> = {
  active: 'Active',
  past_due: 'Payment failed',
  canceled: 'Ended',
  incomplete: 'Not paid yet',
  incomplete_expired: 'Never paid',
}

function planCard({ world, address, state }: PortalPageOptions): Html {
  const { subscription } = state
  if (!subscription) {
    return html`<section class="card"><h2>Current plan</h2><p class="quiet-text">There is no subscription.</p></section>`
  }
  const { price, current_period_end: end } = itemOf(subscription)
  const isEnded = subscription.status === 'canceled' || subscription.status === 'incomplete_expired'
  const isEnding = subscription.cancel_at_period_end
  const retryAt = state.invoices.find((invoice) => invoice.next_payment_attempt !== null)?.next_payment_attempt
  const amount = `${formatMoney(price.unit_amount ?? 0, price.currency)} per ${describeRhythm(price)}`
  const details = isEnded
    ? `Ended on ${formatDate(subscription.ended_at ?? 0)}.`
    : isEnding
      ? `Ends on ${formatDate(end)}. It stays yours until then, and nothing is charged any more.`
      : retryAt
        ? `The last payment failed. The card is tried again on ${formatDate(retryAt)}; when that goes on failing, the plan ends.`
        : `Renews on ${formatDate(end)}.`
  return html`<section class="card"><h2>Current plan</h2>
<p class="plan"><b>${nameOfPrice(world, price)}</b> <span class="badge ${subscription.status}">${isEnding && !isEnded ? 'Ends soon' : (statuses[subscription.status] ?? subscription.status)}</span></p>
<p>${amount}</p><p class="quiet-text">${details}</p>
${
  !isEnded &&
  (isEnding
    ? html`<form method="post" action="${address}/resume"><button class="button primary" data-busy="Resuming…"><span>Resume plan</span></button></form>`
    : html`<details><summary class="button quiet">Cancel plan</summary><div class="confirm"><p>Your plan stays until ${formatDate(end)}. After that you are on the free plan, and nothing is charged.</p>
<form method="post" action="${address}/cancel"><button class="button danger" data-busy="Cancelling…"><span>Cancel at the end of the period</span></button></form></div></details>`)
}</section>`
}

const brandNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

function paymentCard({ address, state, form, error }: PortalPageOptions): Html {
  const details = state.card?.card
  return html`<section class="card"><h2>Payment method</h2>
${
  details
    ? html`<p class="card-line">${icons.card}<b>${brandNames[details.brand] ?? details.brand} •••• ${details.last4}</b> <span class="quiet-text">Expires ${String(details.exp_month).padStart(2, '0')} / ${details.exp_year}</span></p>`
    : html`<p class="quiet-text">There is no card.</p>`
}
<details${error && html` open`}><summary class="button quiet">${details ? 'Update card' : 'Add a card'}</summary>
<form class="confirm" method="post" action="${address}/card" data-card-form novalidate>${cardFields(form, error)}
<button class="button primary" data-busy="Saving…">${icons.lock}<span>Save card</span></button></form></details></section>`
}

function invoicesCard({ address, state }: PortalPageOptions): Html {
  if (state.invoices.length === 0) {
    return html`<section class="card"><h2>Invoices</h2><p class="quiet-text">There are none yet.</p></section>`
  }
  return html`<section class="card"><h2>Invoices</h2><div class="scroll"><table>
<thead><tr><th scope="col">Date</th><th scope="col">Number</th><th scope="col" class="number">Amount</th><th scope="col">Status</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead>
<tbody>${state.invoices.map(
    (invoice) => html`<tr><td>${formatDate(invoice.created)}</td><td>${invoice.number}</td>
<td class="number">${formatMoney(invoice.total, invoice.currency)}</td>
<td><span class="badge ${invoice.status ?? ''}">${invoiceStatuses[invoice.status ?? ''] ?? invoice.status}</span></td>
<td class="actions">${
      invoice.status === 'open' &&
      html`<form method="post" action="${address}/pay"><input type="hidden" name="invoice" value="${invoice.id}"><button class="button small primary" data-busy="Paying…"><span>Pay now</span></button></form>`
    }<a class="icon-link" href="${invoice.invoice_pdf ?? ''}" aria-label="Download invoice ${invoice.number} as PDF">${icons.download}<span>PDF</span></a></td></tr>`,
  )}</tbody></table></div></section>`
}

const invoiceStatuses: Readonly<Record<string, string>> = { paid: 'Paid', open: 'Open', void: 'Void' }
