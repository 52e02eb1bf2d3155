import { calls } from '@alcove/contract/calls'
import { MAX_LOST_FOLDERS_LISTED, MAX_LOST_PEOPLE_NAMED } from '@alcove/contract/limits'
import type { LostFolder } from '@alcove/contract/members'
import { sql } from 'kysely'
import { endpoint } from '../../platform/http/api.ts'

/** One of the people who are named for a folder. Counts are text on PostgreSQL. */
interface LostRow {
  id: string
  name: string
  email: string
  display_name: string | null
  people: number | string
  total: number | string
}

/** Lists the shared folders that other people lose with the user's account. One statement. */
export const getDeletionPreview = endpoint(calls.getDeletionPreview, async ({ db, user }) => {
  const { rows } = await sql<LostRow>`
    with lost (id, name, people) as (
      select folder.id, folder.name, count(*) from members
      join items folder on folder.id = members.folder_id
      join users on users.id = members.user_id
      where members.owner_id = ${user.id} and folder.trash_id is null and users.deleted_at is null
      group by folder.id, folder.name
    ), listed (id, name, people, total) as (
      select id, name, people, (select count(*) from lost) from lost
      order by people desc, id limit ${sql.lit(MAX_LOST_FOLDERS_LISTED)}
    ), named (id, name, people, total, email, display_name, place) as (
      select listed.id, listed.name, people, total, users.email, users.display_name,
        row_number() over (partition by listed.id order by members.accepted_at, members.id)
      from listed join members on members.folder_id = listed.id
      join users on users.id = members.user_id and users.deleted_at is null
    )
    select id, name, people, total, email, display_name from named
    where place <= ${sql.lit(MAX_LOST_PEOPLE_NAMED)} order by people desc, id, place`.execute(db)
  const folders = new Map<string, LostFolder>()
  for (const { id, name, email, display_name, people } of rows) {
    const folder = folders.get(id) ?? { id, name, memberCount: Number(people), members: [] }
    folder.members.push({ email, displayName: display_name })
    folders.set(id, folder)
  }
  return { sharedFolders: [...folders.values()], total: Number(rows[0]?.total ?? 0) }
})
