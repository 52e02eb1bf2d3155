import type { Kysely } from 'kysely'

/** Adds the numbers that clients of Nextcloud give their chunks. `tables.ts` describes the column. */
export async function chunkNumbers(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('upload_chunks').addColumn('number', 'bigint').execute()
}
