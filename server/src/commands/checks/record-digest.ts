import type { Database } from '../../platform/db/database.ts'

/** Notes a digest that had not been computed yet. */
export async function recordDigest(db: Database, key: string, sha256: string): Promise<void> {
  await db.updateTable('blobs').set({ sha256 }).where('key', '=', key).where('sha256', 'is', null).execute()
}
