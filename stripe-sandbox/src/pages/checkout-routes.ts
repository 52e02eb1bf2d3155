import type { FastifyInstance, FastifyReply } from 'fastify'
import { change } from '../due-work.ts'
import { formOf, headerOf } from '../http/api-server.ts'
import { StripeError } from '../http/stripe-error.ts'
import { type CheckoutPayment, completeCheckout } from '../resources/complete-checkout.ts'
import type { Kept } from '../store/store.ts'
import type { CheckoutSession } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import type { FieldError } from './card-fields.ts'
import { checkoutPage } from './checkout-page.ts'
import { guessCountry } from './countries.ts'
import { leave, sendPage } from './leave.ts'
import { messagePage } from './page.ts'
import { fieldErrorOf, findMissing, readCardForm } from './read-card-form.ts'

type WithId = { Params: { id: string } }

/** The page where a checkout is paid. Its id is known only to who was sent here. */
export function checkoutRoutes(app: FastifyInstance, world: World, base: string): void {
  const find = (id: string) => change(world, () => world.store.find('checkout.session', id))

  function creditOf({ body }: Kept<'checkout.session'>): number {
    const customer = typeof body.customer === 'string' ? world.store.find('customer', body.customer)?.body : undefined
    return customer && !('deleted' in customer) ? Math.max(0, -customer.balance) : 0
  }

  app.get<WithId>('/checkout/:id', async (request, reply) => {
    const session = find(request.params.id)
    if (session?.body.status !== 'open') return sendClosed(reply, session, world, base)
    const country = guessCountry(headerOf(request, 'accept-language'))
    const form = { number: '', expiry: '', name: '', country }
    return sendPage(reply, checkoutPage({ base, session, email: emailOf(session), credit: creditOf(session), form }))
  })

  app.post<WithId>('/checkout/:id', async (request, reply) => {
    const session = find(request.params.id)
    if (session?.body.status !== 'open') return sendClosed(reply, session, world, base)
    const fields = new Map(new URLSearchParams(formOf(request)))
    const read = readCardForm(fields)
    const email = emailOf(session) || (fields.get('email') ?? '').trim()
    const { name, country } = read.form
    const error =
      findWrongEmail(email) ?? findMissing(read) ?? pay(world, session.body.id, { ...read, name, country, email })
    const credit = creditOf(session)
    if (error) return sendPage(reply, checkoutPage({ base, session, email, credit, form: read.form, error }), 402)
    return sendClosed(reply, find(session.body.id), world, base)
  })
}

/** The error that stands at a field; undefined once it is paid. */
function pay(world: World, id: string, payment: CheckoutPayment): FieldError | undefined {
  try {
    change(world, () => completeCheckout(world, id, payment))
    return undefined
  } catch (error) {
    if (error instanceof StripeError && error.details.code === 'resource_missing') {
      return { field: 'email', message: 'This account is not there any more. Nothing was charged.' }
    }
    return fieldErrorOf(error)
  }
}

function findWrongEmail(email: string): FieldError | undefined {
  const isRight = /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 200
  return isRight ? undefined : { field: 'email', message: 'Enter your email address.' }
}

function emailOf({ body }: Kept<'checkout.session'>): string {
  return body.customer_details?.email ?? body.customer_email ?? ''
}

/** Who paid goes on to where the session says; for anyone else the page is over. */
function sendClosed(
  reply: FastifyReply,
  session: Kept<'checkout.session'> | undefined,
  world: World,
  base: string,
): FastifyReply {
  if (session?.body.status === 'complete') return leave(reply, successUrlOf(session.body), world, base)
  const page = session
    ? {
        title: 'This page has expired',
        text: 'It was not paid in time, or another one has taken its place. Nothing was charged. Go back and choose your plan again.',
        backUrl: session.body.cancel_url,
      }
    : { title: 'There is no such page', text: 'The address is incomplete, or the payment was never begun.' }
  return sendPage(reply, messagePage({ base, ...page }), session ? 410 : 404)
}

function successUrlOf({ id, success_url }: CheckoutSession): string {
  return (success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id)
}
