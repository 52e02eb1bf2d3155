import { describeInterval, nameOfPrice } from '../billing/invoice-lines.ts'
import { isEnded, itemOf } from '../billing/subscription.ts'
import type { PortalState } from '../resources/portal.ts'
import type { Subscription } from '../stripe-objects.ts'
import { formatDate, formatMoney, formatTime } from '../text.ts'
import type { World } from '../world.ts'
import { type CardForm, cardInputs, type FieldError } from './card-form.ts'
import { type Html, html, page } from './page.ts'

export interface PortalPageOptions {
  world: World
  base: string
  /** The address of the portal, without a trailing slash. */
  address: string
  state: PortalState
  form: CardForm
  error?: FieldError
  /** The result of the last action. */
  notice?: { text: string; isError?: boolean }
}

/** Returns the portal: plan, card and invoices of a customer, and the test clock. */
export function portalPage(options: PortalPageOptions): string {
  const { base, state, notice } = options
  const { customer, session } = state
  return page({
    title: 'Billing',
    base,
    content: html`<main>
${session.return_url && html`<p><a href="${session.return_url}">Back to Alcove</a></p>`}
<h1>Billing</h1>
<p>${customer.body.email}</p>
${notice && html`<p class="${notice.isError ? 'error' : 'notice'}" role="${notice.isError ? 'alert' : 'status'}">${notice.text}</p>`}
<div class="columns">
${planSection(options)}
${cardSection(options)}
${invoicesSection(options)}
${clockSection(options)}
</div>
</main>`,
  })
}

function planSection({ world, address, state: { subscription, invoices } }: PortalPageOptions): Html {
  if (!subscription) return html`<section><h2>Current plan</h2><p>There is no subscription.</p></section>`
  const { price, current_period_end: end } = itemOf(subscription)
  const retryAt = invoices.find((invoice) => invoice.next_payment_attempt !== null)?.next_payment_attempt
  const cancel = html`<details><summary>Cancel plan</summary>
<p>Your plan stays until ${formatDate(end)}. After that you are on the free plan, and nothing is charged.</p>
<form method="post" action="${address}/cancel"><button>Cancel at the end of the period</button></form></details>`
  const resume = html`<form method="post" action="${address}/resume"><button>Resume plan</button></form>`
  return html`<section><h2>Current plan</h2>
<p><b>${nameOfPrice(world, price)}</b>, ${formatMoney(price.unit_amount ?? 0, price.currency)} per ${describeInterval(price)}</p>
<p>${describeStatus(subscription, retryAt)}</p>
${!isEnded(subscription) && (subscription.cancel_at_period_end ? resume : cancel)}</section>`
}

function describeStatus(subscription: Subscription, retryAt: number | null | undefined): string {
  const end = formatDate(itemOf(subscription).current_period_end)
  if (isEnded(subscription)) return `Ended on ${formatDate(subscription.ended_at ?? 0)}.`
  if (subscription.cancel_at_period_end) return `Ends on ${end}. Nothing more is charged.`
  if (retryAt) {
    return `The last payment failed. The card is charged again on ${formatDate(retryAt)}. If that keeps failing, the plan ends.`
  }
  return `Renews on ${end}.`
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

function cardSection({ address, state, form, error }: PortalPageOptions): Html {
  const details = state.card?.card
  const expiry = details && `${String(details.exp_month).padStart(2, '0')} / ${details.exp_year}`
  return html`<section><h2>Payment method</h2>
<p>${details ? `${brandNames[details.brand] ?? details.brand} •••• ${details.last4}, expires ${expiry}` : 'There is no card.'}</p>
<details${error && html` open`}><summary>${details ? 'Update card' : 'Add a card'}</summary>
<form method="post" action="${address}/card" novalidate>${cardInputs(form, error)}
<button>Save card</button></form></details></section>`
}

function invoicesSection({ address, state: { invoices } }: PortalPageOptions): Html {
  if (invoices.length === 0) return html`<section><h2>Invoices</h2><p>There are none yet.</p></section>`
  return html`<section><h2>Invoices</h2><ul>${invoices.map(
    (
      invoice,
    ) => html`<li>${formatDate(invoice.created)}, ${formatMoney(invoice.total, invoice.currency)}, ${invoice.status}
<a href="${invoice.invoice_pdf ?? ''}">Invoice ${invoice.number} (PDF)</a>
${
  invoice.status === 'open' &&
  html`<form method="post" action="${address}/pay"><input type="hidden" name="invoice" value="${invoice.id}"><button>Pay now</button></form>`
}</li>`,
  )}</ul></section>`
}

const renewalChoices = [
  ['', 'is paid'],
  ['fail_once', 'fails once, then is paid'],
  ['fail', 'fails until there is a new card'],
] as const

/** Moves the test clock, and chooses whether the next renewal fails. */
function clockSection({ world, address, state }: PortalPageOptions): Html {
  const next = nextStep(state)
  const renewals = state.customer.hidden.renewals ?? ''
  const button = (by: string, label: string) => html`<button name="by" value="${by}">${label}</button>`
  return html`<section><h2>Test clock</h2>
<p>It is <b>${formatTime(world.clock.now())}</b> in the sandbox (UTC).</p>
<p>Moving the clock lets renewals happen, for everyone in the sandbox. You can't move it back.</p>
<form method="post" action="${address}/clock">
${next && html`<input type="hidden" name="until" value="${next.at}">${button('next', `${next.label} (${formatDate(next.at)})`)}`}
${button('day', 'By a day')} ${button('month', 'By a month')}</form>
<form method="post" action="${address}/renewals"><fieldset><legend>The next renewal</legend>
${renewalChoices.map(
  ([value, label]) =>
    html`<label><input type="radio" name="renewals" value="${value}"${value === renewals && html` checked`}> ${label}</label>`,
)}</fieldset>
<button>Save</button></form></section>`
}

/** Returns what happens to the subscription next, and when. */
function nextStep({ subscription, invoices }: PortalState): { label: string; at: number } | undefined {
  if (!subscription || isEnded(subscription)) return undefined
  const end = itemOf(subscription).current_period_end
  const retry = Math.min(...invoices.flatMap(({ next_payment_attempt: at }) => (at === null ? [] : [at])))
  if (retry < end) return { label: 'To the next retry', at: retry }
  return { label: subscription.cancel_at_period_end ? 'To the end of the plan' : 'To the next renewal', at: end }
}
