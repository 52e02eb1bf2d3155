import { ACTIVITY_TTL, MAX_ACTIVITIES } from '@alcove/contract/limits'
import type { Services } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'

/** An owner without an entry in this time can't have got too many since the last sweep. In milliseconds. */
const RECENT = 2 * 24 * 3_600_000
/** How many entries one statement deletes, because on SQLite nothing else can run meanwhile. */
const AT_ONCE = 2000

/** Deletes old entries, and the oldest of owners who have too many. Safe to run at any time. */
export async function sweepActivity(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  signal?: AbortSignal,
): Promise<void> {
  const now = clock.now()
  await deleteUntil(signal, () =>
    db
      .deleteFrom('activities')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('activities')
          .select('id')
          .where('began_at', '<=', now - ACTIVITY_TTL)
          .limit(AT_ONCE),
      )
      .executeTakeFirstOrThrow(),
  )
  const owners = await db
    .selectFrom('activities')
    .select('owner_id')
    .where('began_at', '>', now - RECENT)
    .groupBy('owner_id')
    .execute()
  for (const { owner_id } of owners) {
    if (signal?.aborted) return
    await deleteUntil(signal, () =>
      db.deleteFrom('activities').where('id', 'in', surplusOf(db, owner_id)).executeTakeFirstOrThrow(),
    )
  }
}

/** Selects entries behind the newest ones that an owner can have. */
function surplusOf(db: Database, ownerId: string) {
  return db
    .selectFrom('activities')
    .select('id')
    .where('owner_id', '=', ownerId)
    .orderBy('began_at', 'desc')
    .orderBy('id', 'desc')
    .limit(AT_ONCE)
    .offset(MAX_ACTIVITIES)
}

async function deleteUntil(
  signal: AbortSignal | undefined,
  deleteSome: () => Promise<{ numDeletedRows: bigint }>,
): Promise<void> {
  while (!signal?.aborted) if ((await deleteSome()).numDeletedRows < AT_ONCE) return
}
