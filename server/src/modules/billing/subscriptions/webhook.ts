import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { idOf } from './subscription-state.ts'
import { syncSubscription } from './sync-subscription.ts'

/** Far more than Stripe sends. */
const MAX_BODY = 512 * 1024

/** What changes a plan, or what is said about it. */
const TELLING =
  /^(checkout\.session|customer\.subscription|invoice|payment_intent|charge|setup_intent)\.|^customer\.deleted$/

/**
 * Where Stripe tells that something happened. It only names a customer: what to make of it is asked of Stripe, so the order
 * and number of events do not matter. An event is remembered once it has been applied; until then Stripe sends it again.
 */
export function webhookRoute(api: FastifyInstance, services: Services): void {
  void api.register(async (scope) => {
    // The signature is of the bytes as they came.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post('/stripe/webhook', { bodyLimit: MAX_BODY }, async (request) => {
      const event = await readEvent(services, request.body, request.headers['stripe-signature'])
      await applyEvent(services, event)
      return { received: true }
    })
  })
}

/** What all events have; of the object it is only looked at whom it is about. */
const signedEvent = z.object({
  id: z.string().min(1).max(255),
  type: z.string(),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
})
type SignedEvent = z.infer<typeof signedEvent>

async function readEvent({ payments, clock }: Services, body: unknown, signature: unknown): Promise<SignedEvent> {
  if (!Buffer.isBuffer(body) || typeof signature !== 'string') throw notSigned()
  let event: unknown
  try {
    event = await payments.readEvent(body, signature, clock.now())
  } catch (error) {
    throw error instanceof AppError ? error : notSigned()
  }
  return signedEvent.parse(event)
}

function notSigned(): AppError {
  return new AppError('malformed', 'The signature of this event is not good.')
}

async function applyEvent(services: Services, event: SignedEvent): Promise<void> {
  const { db, clock } = services
  const known = await db.selectFrom('stripe_events').select('id').where('id', '=', event.id).executeTakeFirst()
  if (known) return
  const customerId = TELLING.test(event.type) ? customerOf(event) : undefined
  if (customerId) await syncSubscription(services, customerId)
  await db
    .insertInto('stripe_events')
    .values({ id: event.id, received_at: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The customer that an event is about: it is one itself, or names one. */
function customerOf({ data: { object } }: SignedEvent): string | undefined {
  const parsed = reference.safeParse(object.object === 'customer' ? object.id : object.customer)
  return parsed.success ? idOf(parsed.data) : undefined
}

const reference = z.union([z.string(), z.object({ id: z.string() })])

/** Stripe sends an event again for three days at most. */
const REMEMBERED = 30 * 24 * 3_600_000

/** Forgets the webhooks that cannot come again. */
export async function sweepEvents({ db, clock }: Services): Promise<void> {
  await db
    .deleteFrom('stripe_events')
    .where('received_at', '<=', clock.now() - REMEMBERED)
    .execute()
}
