import type { Member } from '@alcove/contract/members'
import type { UserContext } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'
import { formatTime } from '../../platform/format.ts'

/** Selects the members of a folder with the current address and name of those who have accepted. */
export function selectMembers(db: Database, folderId: string) {
  return db
    .selectFrom('members')
    .leftJoin('users', 'users.id', 'members.user_id')
    .select(['members.id', 'members.user_id', 'members.email', 'members.role', 'members.created_at', 'accepted_at'])
    .select('members.offered_at')
    .leftJoin('people_groups', 'people_groups.id', 'members.group_id')
    .select(['members.group_id', 'people_groups.owner_id as group_owner_id'])
    .select(['users.email as user_email', 'users.display_name'])
    .where('members.folder_id', '=', folderId)
    .where('users.deleted_at', 'is', null)
}

type ReadMember = Awaited<ReturnType<ReturnType<typeof selectMembers>['executeTakeFirstOrThrow']>>

/** The owner sees to whom the folder is offered, and that member sees it too. */
export function presentMember(row: ReadMember, { user }: UserContext, ownerId: string): Member {
  const isYou = row.user_id === user.id
  const isOffered = row.offered_at !== null && (isYou || user.id === ownerId)
  return {
    id: row.id,
    email: row.user_email ?? row.email,
    displayName: row.display_name,
    role: row.role,
    invitedAt: formatTime(row.created_at),
    acceptedAt: row.accepted_at === null ? null : formatTime(row.accepted_at),
    isYou,
    // A group without an owner is one of a provider, which the owner of the folder sees.
    groupId: (row.group_owner_id ?? ownerId) === user.id ? row.group_id : null,
    offeredAt: isOffered ? formatTime(row.offered_at as number) : null,
  }
}
