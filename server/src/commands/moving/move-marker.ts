import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Database, Tx } from '../../platform/db/database.ts'

/**
 * The kind of job that the mark is: it stands in the target's own queue, so that it can be nowhere but with what it is about,
 * and comes due never.
 */
export const MOVING_IN = 'moving in'
const NEVER = 2 ** 48 - 1

const markShape = z.object({
  /** Which Alcove is moving in. */
  instance: z.string(),
  /** Where its bytes go. */
  store: z.string(),
  /** From then on the target is a place like any other: a server may be at work there. */
  areRowsThere: z.boolean(),
})

/** What is written at the target while somebody moves in. */
export type MoveMarker = z.infer<typeof markShape>

export async function findMoveMarker(db: Database): Promise<MoveMarker | undefined> {
  const row = await db.selectFrom('jobs').select('payload').where('kind', '=', MOVING_IN).executeTakeFirst()
  return row && markShape.parse(JSON.parse(row.payload))
}

export async function setMoveMarker(db: Database | Tx, mark: MoveMarker): Promise<void> {
  const payload = JSON.stringify(mark)
  await db
    .insertInto('jobs')
    .values({ id: MOVING_IN, kind: MOVING_IN, payload, run_at: NEVER, attempts: 0 })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ payload }))
    .execute()
}

export async function removeMark(db: Database): Promise<void> {
  await db.deleteFrom('jobs').where('kind', '=', MOVING_IN).execute()
}

/** Where the settings put the bytes. */
export function describeStore({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): string {
  return s3 ? `bucket ${s3.bucket} at ${s3.endpoint}` : `folder ${dataDir}`
}
