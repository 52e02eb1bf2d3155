import { sql } from 'kysely'
import type { Services } from '../context.ts'
import { engineOf } from '../platform/db/database.ts'

/** Does what PostgreSQL does by itself within minutes of many changes: takes statistics, and notes what all may see. */
export async function settleTables({ db, config }: Pick<Services, 'db' | 'config'>): Promise<void> {
  if (engineOf(config) === 'postgres') await sql`vacuum analyze`.execute(db)
}
