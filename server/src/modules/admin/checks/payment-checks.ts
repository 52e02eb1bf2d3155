import type Stripe from 'stripe'
import type { Services } from '../../../context.ts'
import { type Check, failed, ok, skipped, warning } from './check.ts'

/** The groups of events that Alcove needs. The webhook’s endpoint may name more. */
const NEEDED = ['checkout.session.completed', 'customer.subscription.updated', 'invoice.paid']

type Endpoints = Pick<Stripe.WebhookEndpoint, 'url' | 'status' | 'enabled_events'>[]

/** Stripe accepts the keys, and sends its events here. */
export const payments: Check = {
  id: 'payments',
  label: 'Payments',
  async run({ services }) {
    const { mode, realm } = services.payments
    if (mode === 'off') return skipped('Payments are off, since no Stripe keys are set.')
    if (mode === 'sandbox') return skipped('Payments go to the sandbox: cards are test cards, and nobody pays.')
    const found = await listEndpoints(services)
    if (found === 'refused') {
      return failed('Stripe rejects STRIPE_SECRET_KEY.', 'Copy the secret key again from the Stripe dashboard.')
    }
    if (found === 'away') {
      return failed('Stripe can’t be reached.', 'Check whether this machine may open connections to api.stripe.com.')
    }
    const problem = found === 'hidden' ? undefined : describeEndpoints(found, services.config.publicUrl)
    if (problem) return problem
    if (realm === 'test') {
      return warning('The keys of Stripe are test keys: nobody pays.', 'Set the live keys once you sell plans.')
    }
    const last = await lastEvent(services)
    if (found === 'hidden') {
      return ok(`Stripe accepts the key, which doesn’t show the webhook. ${last}`)
    }
    return ok(`Stripe accepts the keys and knows the webhook. ${last}`)
  },
}

function describeEndpoints(endpoints: Endpoints, publicUrl: string) {
  const url = `${publicUrl}/api/stripe/webhook`
  const all = endpoints.filter((endpoint) => endpoint.url === url)
  const own = all.find(({ status }) => status === 'enabled') ?? all[0]
  if (!own) {
    return failed(
      'Stripe has no webhook endpoint for this server, so plans change late.',
      `Add ${url} as an endpoint in the Stripe dashboard, and set STRIPE_WEBHOOK_SECRET to its secret.`,
    )
  }
  if (own.status !== 'enabled') {
    return failed('Stripe has disabled the webhook endpoint.', 'Enable it in the Stripe dashboard.')
  }
  const events: readonly string[] = own.enabled_events
  const missing = NEEDED.filter((event) => !events.includes('*') && !events.includes(event))
  if (missing.length === 0) return undefined
  return warning(
    `The webhook endpoint doesn’t get all events: ${missing.join(', ')} is missing.`,
    'Select the events that docs/operations/payments.md lists.',
  )
}

type Listed = Endpoints | 'refused' | 'hidden' | 'away'

/** Converts errors itself, because other callers of Stripe get only what users may see. */
function listEndpoints({ payments: provider }: Services): Promise<Listed> {
  const list = async (stripe: Stripe): Promise<Listed> => {
    try {
      return (await stripe.webhookEndpoints.list({ limit: 100 })).data
    } catch (error) {
      const { type } = error as { type?: string }
      if (type === 'StripeAuthenticationError') return 'refused'
      // A restricted key needn't be allowed to list endpoints.
      return type === 'StripePermissionError' ? 'hidden' : 'away'
    }
  }
  return provider.ask(list)
}

async function lastEvent({ db }: Services): Promise<string> {
  const { at } = await db
    .selectFrom('stripe_events')
    .select((eb) => eb.fn.max<number | null>('received_at').as('at'))
    .executeTakeFirstOrThrow()
  return at === null
    ? 'No event has arrived in the last 30 days.'
    : `The last event arrived on ${new Date(at).toISOString().slice(0, 16).replace('T', ' at ')} UTC.`
}
