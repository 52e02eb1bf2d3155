import type { Database } from '../../platform/db/database.ts'
import type { UserRow } from '../../platform/db/tables.ts'

export function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
}
