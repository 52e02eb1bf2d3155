import { type Database, openDatabase } from '../platform/db/database.ts'

/** Looks into the database of running servers, beside them. */
export async function withServerDatabase<T>(databaseUrl: string, look: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ databaseUrl, dataDir: '' })
  try {
    return await look(db)
  } finally {
    await db.destroy()
  }
}
