import type { Database } from '../../platform/db/database.ts'

/** Notes that the bytes of a blob are missing or damaged. False where that was known, or the blob is gone. */
export async function noteDamage(db: Database, key: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('blobs')
    .set({ damaged_at: now })
    .where('key', '=', key)
    .where('damaged_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Notes that they are as they were stored again. */
export async function clearDamage(db: Database, key: string): Promise<void> {
  await db.updateTable('blobs').set({ damaged_at: null }).where('key', '=', key).execute()
}

export async function countDamaged(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('blobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('damaged_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}
