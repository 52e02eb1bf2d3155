import { randomUUID } from 'node:crypto'
import type { SelectQueryBuilder } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

const DURATION = 5 * 60_000
const RENEW_EVERY = 60_000

interface Leasing {
  readonly db: Database
  readonly clock: Clock
}

/** A lease as its holder sees it. */
export interface Lease {
  /** Aborts when somebody has taken the lease away, or when it could not be renewed. */
  readonly lost: AbortSignal
  /** Selects a row while the lease is held: as an `exists` condition it limits a statement to the holder. */
  readonly held: SelectQueryBuilder<Tables, 'leases', { name: string }>
}

/**
 * Does work while holding the lease of a name, or returns `undefined` if somebody else holds it. The lease is renewed
 * while the work lasts. A holder that dies loses it after five minutes; one that was only stopped for so long still
 * has it until another process takes it.
 */
export async function withLease<T>(
  { db, clock }: Leasing,
  name: string,
  work: (lease: Lease) => Promise<T>,
  { renewEvery = RENEW_EVERY } = {},
): Promise<T | undefined> {
  const holder = randomUUID()
  if (!(await acquire({ db, clock }, name, holder))) return undefined
  const losing = new AbortController()
  const renewing = setInterval(async () => {
    const renewed = await db
      .updateTable('leases')
      .set({ expires_at: clock.now() + DURATION })
      .where('name', '=', name)
      .where('holder', '=', holder)
      .executeTakeFirst()
      .catch(() => undefined)
    if (!renewed?.numUpdatedRows) losing.abort()
  }, renewEvery)
  try {
    const held = db.selectFrom('leases').select('name').where('name', '=', name).where('holder', '=', holder)
    return await work({ lost: losing.signal, held })
  } finally {
    clearInterval(renewing)
    await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
  }
}

async function acquire({ db, clock }: Leasing, name: string, holder: string): Promise<boolean> {
  const now = clock.now()
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('leases')
    .values({ name, holder, expires_at: now + DURATION })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, expires_at: now + DURATION })
        .where((eb) =>
          eb.or([
            eb('leases.expires_at', '<=', now),
            // No lease lasts that long, so its holder's clock was ahead.
            eb('leases.expires_at', '>', now + 2 * DURATION),
          ]),
        ),
    )
    .executeTakeFirstOrThrow()
  return !!numInsertedOrUpdatedRows
}

/** Selects the leases whose name starts with a prefix. */
export function findLeases(db: Database, prefix: string): SelectQueryBuilder<Tables, 'leases', { name: string }> {
  return db.selectFrom('leases').select('leases.name').where('leases.name', 'like', `${prefix}%`)
}

/** Takes expired leases away from their holders. */
export async function endExpiredLeases({ db, clock }: Leasing, prefix: string): Promise<void> {
  const now = clock.now()
  const expired = await findLeases(db, prefix).where('expires_at', '<=', now).execute()
  for (const { name } of expired) {
    // Unless its holder has renewed it just now.
    await db.deleteFrom('leases').where('name', '=', name).where('expires_at', '<=', now).execute()
  }
}
