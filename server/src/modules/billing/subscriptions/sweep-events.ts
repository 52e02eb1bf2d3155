import type { Services } from '../../../context.ts'

/** Stripe sends an event again for three days at most. */
const REMEMBERED = 30 * 24 * 3_600_000

/** Forgets the webhooks that cannot come again. */
export async function sweepEvents({ db, clock }: Services): Promise<void> {
  await db
    .deleteFrom('stripe_events')
    .where('received_at', '<=', clock.now() - REMEMBERED)
    .execute()
}
