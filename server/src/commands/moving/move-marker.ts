import type { Config } from '../../config.ts'
import type { Database, Tx } from '../../platform/db/database.ts'

/** Describes a move in its target database while it lasts. */
export interface MoveMarker {
  /** Identifies the instance that is moving in. */
  instance: string
  /** Describes the store that receives its bytes, see `describeStore`. */
  store: string
  /** Once all rows are there, a server may run at the target. */
  areRowsThere: boolean
}

/** The table has one row at most. */
const ID = 1

export async function findMoveMarker(db: Database): Promise<MoveMarker | undefined> {
  const row = await db.selectFrom('move_marker').selectAll().executeTakeFirst()
  return row && { instance: row.instance, store: row.store, areRowsThere: row.are_rows_there === 1 }
}

export async function setMoveMarker(db: Database | Tx, { instance, store, areRowsThere }: MoveMarker): Promise<void> {
  const row = { instance, store, are_rows_there: areRowsThere ? 1 : 0 }
  await db
    .insertInto('move_marker')
    .values({ id: ID, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

export async function removeMoveMarker(db: Database): Promise<void> {
  await db.deleteFrom('move_marker').execute()
}

/** Names the place where the settings put the bytes. */
export function describeStore({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): string {
  return s3 ? `bucket ${s3.bucket} at ${s3.endpoint}` : `folder ${dataDir}`
}
