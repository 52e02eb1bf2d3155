import type { Database } from '../platform/db/database.ts'
import type { UserRow } from '../platform/db/tables.ts'
import { CommandError } from './command.ts'

/** The user with an address, however it is written. */
export async function getUser(db: Database, email: string): Promise<UserRow> {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email.trim().toLowerCase())
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!user) throw new CommandError(`There is no user ${email}.`)
  return user
}
