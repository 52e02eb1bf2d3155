import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { idOf } from './subscription-state.ts'
import { syncSubscription } from './sync-subscription.ts'

/** Far larger than Stripe's events. In bytes. */
const MAX_BODY = 512 * 1024

/** The events that can change a plan or its details. */
const TELLING =
  /^(checkout\.session|customer\.subscription|invoice|payment_intent|charge|setup_intent)\.|^customer\.deleted$/

/**
 * Receives Stripe's events. An event only names a customer, whose state is then read from Stripe, so the order and
 * number of events don't matter. An event is recorded once it has been applied; until then Stripe sends it again.
 */
export function webhookRoute(api: FastifyInstance, services: Services): void {
  void api.register(async (scope) => {
    // The signature covers the raw bytes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post('/stripe/webhook', { bodyLimit: MAX_BODY }, async (request) => {
      const event = await readEvent(services, request.body, request.headers['stripe-signature'])
      await applyEvent(services, event)
      return { received: true }
    })
  })
}

/** The fields that all events share. Only the customer of the object is used. */
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
  return new AppError('malformed', 'The signature of this event is invalid.')
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

/** Returns the customer of an event: its object is one or names one. */
function customerOf({ data: { object } }: SignedEvent): string | undefined {
  const parsed = reference.safeParse(object.object === 'customer' ? object.id : object.customer)
  return parsed.success ? idOf(parsed.data) : undefined
}

const reference = z.union([z.string(), z.object({ id: z.string() })])

/** Stripe retries an event for at most three days. */
const REMEMBERED = 30 * 24 * 3_600_000

/** Deletes records of events that can't be sent again. */
export async function sweepEvents({ db, clock }: Services): Promise<void> {
  await db
    .deleteFrom('stripe_events')
    .where('received_at', '<=', clock.now() - REMEMBERED)
    .execute()
}
