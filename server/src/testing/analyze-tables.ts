import { sql } from 'kysely'
import { type Database, engineOf } from '../platform/db/database.ts'

interface Needed {
  db: Database
  config: { databaseUrl: string | undefined }
}

/** Does what PostgreSQL does by itself within minutes of many changes: takes statistics, and notes what all may see. */
export async function analyzeTables({ db, config }: Needed): Promise<void> {
  if (engineOf(config) === 'postgres') await sql`vacuum analyze`.execute(db)
}
