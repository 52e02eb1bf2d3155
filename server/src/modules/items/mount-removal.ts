import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Services } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Tx } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { changeTree } from './change-tree.ts'

/**
 * Raises the versions of the trees from which mounts have disappeared, so that the tabs of their users notice. It is a job because
 * the trees of many users can't be locked in the transaction of one of them.
 */
export const mountRemovalJob = defineJob(
  'mount removal',
  z.object({ userIds: z.array(z.string()) }),
  async ({ db, events }, { userIds }) => {
    for (const id of userIds) {
      await changeTree({ db, events, user: { id } }, async () => {}).catch((error: unknown) => {
        // The account has been deleted meanwhile.
        if (!(error instanceof AppError) || error.code !== 'not_found') throw error
      })
    }
  },
)

/** Queues that job for the mounts of memberships that the transaction is about to delete. */
export async function queueMountRemoval(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Tx,
  isEnding: RawBuilder<SqlBool>,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct members.user_id as id from members join items mount on mount.mount_of = members.id
    where ${isEnding}`.execute(tx)
  if (rows.length > 0) await jobs.enqueue(tx, mountRemovalJob, { userIds: rows.map(({ id }) => id) })
}
