import type { Database } from '../../../platform/db/database.ts'

/** Someone who is to be invited to a folder because of a group. */
export interface Addition {
  folderId: string
  email: string
  /** The account, if the group is one of a provider. */
  accountId?: string
}

/** Returns who is to be invited to folders by a group of a user, or of a provider. */
export async function listAdditions(
  db: Database,
  folderIds: readonly string[],
  { id, provider }: { id: string; provider: string | null },
): Promise<Addition[]> {
  if (provider !== null) return listAccountAdditions(db, folderIds, id)
  const people = await db.selectFrom('group_people').select('email').where('group_id', '=', id).execute()
  return folderIds.flatMap((folderId) => people.map(({ email }) => ({ folderId, email })))
}

/** Returns who is to be invited to folders by a group of a provider: everyone in it, or one user. Suspended users are in no group. */
export async function listAccountAdditions(
  db: Database,
  folderIds: readonly string[],
  groupId: string,
  userId?: string,
): Promise<Addition[]> {
  const people = await db
    .selectFrom('group_identities')
    .innerJoin('oidc_identities', 'oidc_identities.id', 'group_identities.identity_id')
    .innerJoin('users', 'users.id', 'oidc_identities.user_id')
    .select(['users.id', 'users.email'])
    .distinct()
    .where('group_id', '=', groupId)
    .where('users.deleted_at', 'is', null)
    .$if(userId !== undefined, (one) => one.where('users.id', '=', userId as string))
    .execute()
  return folderIds.flatMap((folderId) => people.map(({ id, email }) => ({ folderId, email, accountId: id })))
}
