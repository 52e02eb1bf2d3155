import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import { rankOf } from '../../platform/http/members.ts'

/** The version for users with whom nothing is shared. */
export const NOTHING_SHARED = '0'

interface Shared {
  user_id: string
  folders: number | string
  changed: number | string
  renamed: number | string
  roles: number | string
  accepted: number | string
}

/**
 * Returns texts that change whenever anything changes in the folders that others share with users, at any depth, or these folders
 * and the users' roles themselves. Users with whom nothing is shared are left out. One statement for any number of users.
 */
export async function readSharedVersions(db: Database, userIds: readonly string[]): Promise<Map<string, string>> {
  // Of sums of numbers that only grow, none can change back while the folders stay the same.
  const { rows } = await sql<Shared>`
    select members.user_id, count(*) as folders, sum(coalesce(folder.changed_in, 0)) as changed, sum(folder.updated_at) as renamed,
      sum(${rankOf('members.role')}) as roles, sum(members.accepted_at) as accepted
    from members
    join items folder on folder.id = members.folder_id
    join users owner on owner.id = members.owner_id
    where ${isAmong(db, 'members.user_id', userIds)} and folder.trash_id is null and owner.deleted_at is null
    group by members.user_id`.execute(db)
  return new Map(
    rows.map(({ user_id, folders, changed, renamed, roles, accepted }) => [
      user_id,
      [folders, changed, renamed, roles, accepted].join('.'),
    ]),
  )
}
