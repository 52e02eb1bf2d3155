import { createHash } from 'node:crypto'
import type { Role } from '@alcove/contract/roles'
import { sql } from 'kysely'
import type { SessionUser } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'
import { folderTag } from '../items/index.ts'

interface AboveRow {
  above_id: string
  id: string
  changed_in: number | null
  followed_since: number | null
  role: Role
}

/**
 * Returns a text for each folder above a mount of the user, which changes with anything in the shared folders below it, and with the
 * user's roles there. One statement at any depth, or none if the user has no mounts.
 */
export async function readMountTags(db: Database, { id, hasMounts }: SessionUser): Promise<Map<string, string>> {
  if (!hasMounts) return new Map()
  const { rows } = await sql<AboveRow>`
    with recursive above (id, parent_id, changed_in, followed_since, role, above_id) as (
      select shared.id, mount.parent_id, shared.changed_in, owner.followed_since, members.role, mount.parent_id
      from members
      join items mount on mount.mount_of = members.id and mount.trash_id is null
      join items shared on shared.id = members.folder_id and shared.trash_id is null
      join users owner on owner.id = members.owner_id
      where members.user_id = ${id}
      union all
      select above.id, folder.parent_id, above.changed_in, above.followed_since, above.role, folder.parent_id
      from above join items folder on folder.id = above.parent_id
      where folder.parent_id is not null
    )
    select above_id, id, changed_in, followed_since, role from above order by above_id, id`.execute(db)
  const texts = Map.groupBy(rows, ({ above_id }) => above_id)
  return new Map([...texts].map(([above, mounts]) => [above, hashOf(mounts)]))
}

function hashOf(mounts: readonly AboveRow[]): string {
  const tags = mounts.map((mount) => `${folderTag(mount, mount.followed_since ?? 0)} ${mount.role}`)
  return createHash('sha256').update(tags.join('\n')).digest('base64url').slice(0, 16)
}
