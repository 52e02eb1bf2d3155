import type { Services } from '../../../context.ts'

const DAY = 24 * 3_600_000
const KEPT_DAYS = 400

/** Returns the day of a time, in UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** Records once a day what is stored, to show how it grows. */
export async function sampleStorage({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const known = await db.selectFrom('storage_samples').select('day').where('day', '=', dayOf(now)).executeTakeFirst()
  if (known) return
  const { users, used } = await db
    .selectFrom('users')
    .select((eb) => [eb.fn.countAll<number>().as('users'), eb.fn.sum<number | string | null>('used_bytes').as('used')])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const { blobs, bytes } = await db
    .selectFrom('blobs')
    .select((eb) => [eb.fn.countAll<number>().as('blobs'), eb.fn.sum<number | string | null>('size').as('bytes')])
    .executeTakeFirstOrThrow()
  await db
    .insertInto('storage_samples')
    .values({ day: dayOf(now), users, used_bytes: Number(used ?? 0), blobs, blob_bytes: Number(bytes ?? 0) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .deleteFrom('storage_samples')
    .where('day', '<', dayOf(now - KEPT_DAYS * DAY))
    .execute()
}
