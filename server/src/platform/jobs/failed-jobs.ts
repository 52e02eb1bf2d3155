import type { Services } from '../../context.ts'
import type { Tx } from '../db/database.ts'

/** How long jobs that were given up are kept, in milliseconds. */
const KEPT_FOR = 30 * 24 * 3_600_000

/** Makes a job due that was given up or waits for its next attempt. Returns its kind, or undefined if there is none. */
export async function retryJob({ clock }: Pick<Services, 'clock'>, tx: Tx, id: string): Promise<string | undefined> {
  const job = await tx
    .updateTable('jobs')
    .set({ run_at: clock.now(), attempts: 0, failed_at: null })
    .where('id', '=', id)
    // Not while it is running.
    .where('began_at', 'is', null)
    .where('attempts', '>', 0)
    .returning('kind')
    .executeTakeFirst()
  return job?.kind
}

/** Makes all jobs due that were given up. Returns how many. */
export async function retryFailedJobs({ clock }: Pick<Services, 'clock'>, tx: Tx): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set({ run_at: clock.now(), attempts: 0, failed_at: null })
    .where('failed_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Deletes a job that was given up. Returns its kind, or undefined if there is none. */
export async function discardJob(tx: Tx, id: string): Promise<string | undefined> {
  const job = await tx
    .deleteFrom('jobs')
    .where('id', '=', id)
    .where('failed_at', 'is not', null)
    .returning('kind')
    .executeTakeFirst()
  return job?.kind
}

/** Deletes jobs that were given up long ago. */
export async function sweepFailedJobs({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  await db
    .deleteFrom('jobs')
    .where('failed_at', '<', clock.now() - KEPT_FOR)
    .execute()
}
