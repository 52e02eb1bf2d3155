import { type Role, suffices } from '@alcove/contract/roles'
import type { UserContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Area } from '../../platform/db/tables.ts'
import { notAllowed } from '../../platform/http/members.ts'

/** A folder, and what the user is there: its owner, or a member of it. */
export interface Share {
  id: string
  name: string
  area: Area
  owner_id: string
  owner_email: string
  owner_name: string | null
  /** The user's own membership. Null for the owner. */
  member_id: string | null
  role: Role | 'owner'
}

/** Finds a visible folder that the user owns or is a member of. Folders inside a shared one are found for their owner only. */
export async function findShare({ user }: UserContext, db: Database, folderId: string): Promise<Share | undefined> {
  const found = await db
    .selectFrom('items')
    .innerJoin('users', 'users.id', 'items.owner_id')
    .leftJoin('members', (join) => join.onRef('members.folder_id', '=', 'items.id').on('members.user_id', '=', user.id))
    .select(['items.id', 'items.name', 'items.area', 'items.owner_id', 'members.id as member_id', 'members.role'])
    .select(['users.email as owner_email', 'users.display_name as owner_name'])
    .where('items.id', '=', folderId)
    .where('items.kind', '=', 'folder')
    .where('items.parent_id', 'is not', null)
    .where('items.mount_of', 'is', null)
    .where('items.trash_id', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .where((eb) => eb.or([eb('items.owner_id', '=', user.id), eb('members.id', 'is not', null)]))
    .executeTakeFirst()
  return found && { ...found, role: found.role ?? 'owner' }
}

export async function getShare(ctx: UserContext, db: Database, folderId: string): Promise<Share> {
  const share = await findShare(ctx, db, folderId)
  if (!share) throw notFound('folder')
  return share
}

/** Returns whether the user may invite and remove members and change their roles. */
export function mayManage({ role }: Share): boolean {
  return role === 'owner' || suffices(role, 'manager')
}

export function assertMayManage(share: Share): void {
  // Below manager, the sentence for editors says who may.
  if (!mayManage(share)) throw notAllowed('editor')
}
