import type { FastifyInstance, FastifyReply } from 'fastify'
import { describeInterval } from '../billing/invoice-lines.ts'
import { change } from '../due-work.ts'
import { formOf } from '../http/api-server.ts'
import { StripeError } from '../http/stripe-error.ts'
import { describeBilling } from '../resources/checkout-sessions.ts'
import { type CheckoutPayment, completeCheckout } from '../resources/complete-checkout.ts'
import type { Kept } from '../store.ts'
import { formatMoney } from '../text.ts'
import type { World } from '../world.ts'
import {
  type CardForm,
  cardInputs,
  EMPTY_CARD_FORM,
  type FieldError,
  fieldErrorOf,
  findMissing,
  labelled,
  readCardForm,
} from './card-form.ts'
import { type Html, html, leave, messagePage, page, sendPage } from './page.ts'

type Session = Kept<'checkout.session'>
type WithId = { Params: { id: string } }

/** Registers the page where a checkout is paid. Its unguessable id is the only access control, as with Stripe. */
export function checkoutRoutes(app: FastifyInstance, world: World, base: string): void {
  const find = (id: string) => change(world, () => world.store.find('checkout.session', id))

  function creditOf({ body }: Session): number {
    const customer = typeof body.customer === 'string' ? world.store.find('customer', body.customer)?.body : undefined
    return customer && !('deleted' in customer) ? Math.max(0, -customer.balance) : 0
  }

  app.get<WithId>('/checkout/:id', async (request, reply) => {
    const session = find(request.params.id)
    if (session?.body.status !== 'open') return sendClosed(reply, session, world, base)
    const shown = { base, session, email: emailOf(session), credit: creditOf(session), form: EMPTY_CARD_FORM }
    return sendPage(reply, checkoutPage(shown))
  })

  app.post<WithId>('/checkout/:id', async (request, reply) => {
    const session = find(request.params.id)
    if (session?.body.status !== 'open') return sendClosed(reply, session, world, base)
    const fields = new Map(new URLSearchParams(formOf(request)))
    const { form, card } = readCardForm(fields)
    const email = emailOf(session) || (fields.get('email') ?? '').trim()
    const error =
      checkEmail(email) ?? findMissing({ form, card }) ?? pay(world, session.body.id, { card, name: form.name, email })
    const credit = creditOf(session)
    if (error) return sendPage(reply, checkoutPage({ base, session, email, credit, form, error }), 402)
    return sendClosed(reply, find(session.body.id), world, base)
  })
}

/** Pays a checkout. Returns the error to show at a field, if there is one. */
function pay(world: World, id: string, payment: CheckoutPayment): FieldError | undefined {
  try {
    change(world, () => completeCheckout(world, id, payment))
    return undefined
  } catch (error) {
    if (error instanceof StripeError && error.details.code === 'resource_missing') {
      return { field: 'email', message: 'This account no longer exists. Nothing was charged.' }
    }
    return fieldErrorOf(error)
  }
}

function checkEmail(email: string): FieldError | undefined {
  const isValid = /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 200
  return isValid ? undefined : { field: 'email', message: 'Enter your email address.' }
}

function emailOf({ body }: Session): string {
  return body.customer_details?.email ?? body.customer_email ?? ''
}

/** Responds for a session that can't be paid: redirects if it is already paid, else says why. */
function sendClosed(reply: FastifyReply, session: Session | undefined, world: World, base: string): FastifyReply {
  if (session?.body.status === 'complete') {
    const { id, success_url } = session.body
    return leave(reply, (success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id), world, base)
  }
  const message = session
    ? {
        title: 'This page has expired',
        text: "It wasn't paid in time, or was replaced by another one. Nothing was charged. Go back and choose your plan again.",
        backUrl: session.body.cancel_url,
      }
    : { title: 'There is no such page', text: 'The address is incomplete, or the payment was never started.' }
  return sendPage(reply, messagePage({ base, ...message }), session ? 410 : 404)
}

interface CheckoutPageOptions {
  base: string
  session: Session
  email: string
  /** The customer's credit in cents. Only a subscription uses it. */
  credit: number
  form: CardForm
  error?: FieldError
}

function checkoutPage({ base, session, email, credit, form, error }: CheckoutPageOptions): string {
  const { body, hidden } = session
  const [line] = hidden.lineItems
  const amount = body.amount_total ?? 0
  const money = (cents: number) => formatMoney(cents, body.currency ?? 'usd')
  const isSubscription = body.mode === 'subscription'
  const applied = isSubscription ? Math.min(credit, amount) : 0
  const due = money(amount - applied)
  const name = hidden.lineItems.map(({ description }) => description).join(', ')
  const title = `${isSubscription ? 'Subscribe to' : 'Pay for'} ${name}`
  const isEmailKnown = body.customer_details !== null || body.customer_email !== null
  const emailAttributes = html`type="email" autocomplete="email" maxlength="200" value="${email}"${isEmailKnown ? html` readonly` : html` required`}`
  const row = (label: Html | string, cents: number) => html`<div><dt>${label}</dt><dd>${money(cents)}</dd></div>`
  return page({
    title,
    base,
    content: html`<main>
${body.cancel_url && html`<p><a href="${body.cancel_url}">Back to Alcove</a></p>`}
<h1>${title}</h1>
<div class="columns">
<section aria-label="What you buy">
<dl>${hidden.lineItems.map((item) =>
      row(
        html`${item.description}${(item.quantity ?? 1) > 1 && ` × ${item.quantity}`} <small>${describeBilling(item)}</small>`,
        item.amount_total,
      ),
    )}
${applied > 0 && row('Applied credit', -applied)}
${row('Total due today', amount - applied)}</dl>
</section>
<section aria-labelledby="pay-title">
<h2 id="pay-title">Pay with card</h2>
<form method="post" action="${base}/checkout/${body.id}" novalidate>
${labelled('email', 'Email', emailAttributes, error)}
${cardInputs(form, error)}
<button>${isSubscription ? `Subscribe for ${due}` : `Pay ${due}`}</button>
<p class="note">${
      isSubscription && line
        ? `Renews for ${money(amount)} each ${describeInterval(line.price)} until you cancel. You can cancel any time in Account.`
        : 'You pay once. Nothing renews.'
    }</p>
</form>
</section>
</div>
</main>`,
  })
}
