import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

/** Resolves when a statement in this database of PostgreSQL waits for a lock of another transaction. */
export async function untilLockWait(db: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select 1 from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database() limit 1`.execute(db)
    if (rows.length > 0) return
    await wait(5)
  }
}
