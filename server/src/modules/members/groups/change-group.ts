import type { UserContext } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import { yieldingTransaction } from '../../../platform/db/yielding-transaction.ts'
import { followFolders, lockTree } from '../../items/index.ts'
import { INVITATIONS } from '../may-invite.ts'
import type { Addition } from './additions.ts'
import { hasFolderOf, isInProviderGroup } from './provider-groups.ts'
import { countNew, syncGroupMembers } from './sync-group-members.ts'

/**
 * Changes a group of the user, or what is shared with it or a group of a provider, and then the members of one folder or of all its folders, in one transaction.
 * The group is locked first, so that a folder that gets it and a person who joins it at the same time don't miss each other; then the
 * trees of the folders' owners. `work` returns who is to be invited, and `afterwards` runs when the members are up to date.
 */
export async function changeGroup(
  ctx: UserContext,
  { groupId, folderId }: { groupId: string; folderId?: string },
  work: (tx: Tx, folderIds: readonly string[]) => Promise<readonly Addition[]>,
  afterwards?: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  await yieldingTransaction(ctx.db, async (tx) => {
    await lockGroup(tx, ctx.user.id, groupId)
    const folderIds = folderId === undefined ? await listFoldersOf(tx, groupId) : [folderId]
    for (const id of await listOwners(tx, folderIds)) await lockTree(tx, id)
    const additions = await work(tx, folderIds)
    await syncGroupMembers(ctx, tx, folderIds, additions)
    await afterwards?.(tx)
  })
}

async function lockGroup(tx: Tx, userId: string, groupId: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('people_groups')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', groupId)
    .where((eb) => eb.or([eb('owner_id', '=', userId), isInProviderGroup(userId), hasFolderOf(userId)]))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw notFound('group')
}

/** Lists the folders that are shared with a group, without those of accounts that are being deleted. */
export async function listFoldersOf(db: Database, groupId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('folder_groups')
    .innerJoin('items', 'items.id', 'folder_groups.folder_id')
    .innerJoin('users', 'users.id', 'items.owner_id')
    .select('items.id')
    .where('group_id', '=', groupId)
    .where('users.deleted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

async function listOwners(db: Database, folderIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('items')
    .select('owner_id')
    .distinct()
    .where(isAmong(db, 'id', folderIds))
    .orderBy('owner_id')
    .execute()
  return rows.map(({ owner_id }) => owner_id)
}

/** Counts these invitations toward the limit, as if each person were invited alone. */
export async function admitInvitations(
  ctx: UserContext,
  ownerIds: readonly string[],
  additions: readonly Addition[],
): Promise<void> {
  const count = await countNew(ctx.db, additions)
  if (count === 0) return
  await ctx.rateLimits.consume('invitations', INVITATIONS, ctx.user.id, count)
  await followOwners(ctx, ownerIds)
}

/** Does what folders need that get members. */
export async function followOwners(ctx: UserContext, ownerIds: readonly string[]): Promise<void> {
  // The members' tabs ask the folders whether anything in them has changed.
  for (const id of ownerIds) await followFolders({ ...ctx, user: id === ctx.user.id ? ctx.user : { id } })
}
