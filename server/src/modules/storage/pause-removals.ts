import { randomUUID } from 'node:crypto'
import type { Services } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'

/**
 * The kind of job that a hold on removals is: a removal of blobs put off until the hold ends. Whoever holds them and dies
 * has it run out, and the server then does what was held back.
 */
export const HELD_REMOVALS = 'held removals'

/** How long a hold lasts unless it is renewed, and how often it is. */
const LEASE = 5 * 60_000
const RENEW_EVERY = 60_000

type Holding = Pick<Services, 'db' | 'clock'>

/** The holds in force. A job that was claimed has been tried, and holds nothing any more. */
export function findRemovalPause(db: Database, now: number) {
  return db
    .selectFrom('jobs')
    .select('jobs.id')
    .where('run_at', '>', now)
    .where('kind', '=', HELD_REMOVALS)
    .where('attempts', '=', 0)
}

/**
 * Does work while no blob is removed from the store that was referred to when it began. What users delete meanwhile
 * disappears for them at once; its bytes go when the hold ends. `isHeld` tells whether that has stayed so: a process that
 * was stopped for long may have lost it.
 */
export async function pauseRemovals<T>(holding: Holding, work: (isHeld: () => boolean) => Promise<T>): Promise<T> {
  const { db, clock } = holding
  const id = randomUUID()
  const hold = { id, kind: HELD_REMOVALS, payload: '{}', run_at: clock.now() + LEASE, attempts: 0 }
  await db.insertInto('jobs').values(hold).execute()
  let isHeld = true
  const renewing = setInterval(() => {
    void setEnd(holding, id, clock.now() + LEASE).then(
      (isThere) => {
        isHeld &&= isThere
      },
      () => {
        isHeld = false
      },
    )
  }, RENEW_EVERY)
  try {
    return await work(() => isHeld)
  } finally {
    clearInterval(renewing)
    await setEnd(holding, id, clock.now())
  }
}

/** Returns whether the hold is still in force. */
async function setEnd({ db }: Holding, id: string, end: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({ run_at: end })
    .where('id', '=', id)
    .where('attempts', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
