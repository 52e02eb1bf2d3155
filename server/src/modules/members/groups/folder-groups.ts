import { calls } from '@alcove/contract/calls'
import { MAX_FOLDERS_PER_GROUP, MAX_GROUPS_PER_FOLDER } from '@alcove/contract/limits'
import type { FolderGroup } from '@alcove/contract/members'
import type { Role } from '@alcove/contract/roles'
import type { UserContext } from '../../../context.ts'
import { AppError, notFound } from '../../../errors.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { GROUP_INVITATIONS, getInviting } from '../may-invite.ts'
import { assertMayManage, getShare, type Share } from '../share.ts'
import { listAdditions } from './additions.ts'
import { admitInvitations, changeGroup, followOwners } from './change-group.ts'
import { isInProviderGroup, readLabels } from './provider-groups.ts'

/** Lists the user's own groups with which a folder is shared, and for its owner those of providers. */
export async function listGroupsOf(ctx: UserContext, folderId: string): Promise<FolderGroup[]> {
  const { db, user } = ctx
  const rows = await db
    .selectFrom('folder_groups')
    .innerJoin('people_groups', 'people_groups.id', 'folder_groups.group_id')
    .innerJoin('items', 'items.id', 'folder_groups.folder_id')
    .select(['people_groups.id', 'people_groups.name', 'people_groups.provider', 'role'])
    .where('folder_id', '=', folderId)
    .where((eb) => eb(eb.fn.coalesce('people_groups.owner_id', 'items.owner_id'), '=', user.id))
    .orderBy('folder_groups.created_at')
    .orderBy('people_groups.id')
    .execute()
  if (rows.length === 0) return []
  const labelOf = await readLabels(ctx)
  return rows.map((row) => ({ ...row, provider: labelOf(row.provider) }))
}

interface InvitedGroup {
  folderId: string
  groupId: string
  role: Role
}

/**
 * Shares a folder with a group of the user, or of a provider that says that the user is in it: everyone in it is invited who isn't a
 * member yet.
 */
export async function inviteGroup(ctx: UserContext, { folderId, groupId, role }: InvitedGroup): Promise<FolderGroup> {
  const share = await getInviting(ctx, ctx.db, folderId)
  const group = await getGroup(ctx, ctx.db, groupId)
  assertMayShareWith(group, share)
  await admitGroup(ctx, group, share)
  await changeGroup(ctx, { groupId, folderId }, async (tx) => {
    assertMayShareWith(await getGroup(ctx, tx, groupId), await getInviting(ctx, tx, folderId))
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('folder_groups')
      .values({ folder_id: folderId, group_id: groupId, role, created_at: ctx.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) {
      throw new AppError('state_conflict', `The group “${group.name}” has been invited to this folder already.`)
    }
    await assertFewGroups(tx, folderId, group, ctx.user.id)
    return listAdditions(tx, [folderId], group)
  })
  return { id: groupId, name: group.name, provider: (await readLabels(ctx))(group.provider), role }
}

type FoundGroup = Awaited<ReturnType<typeof getGroup>>

async function getGroup({ user }: UserContext, db: Database, id: string) {
  const group = await db
    .selectFrom('people_groups')
    .select(['id', 'name', 'provider'])
    .where('id', '=', id)
    .where((eb) => eb.or([eb('owner_id', '=', user.id), isInProviderGroup(user.id)]))
    .executeTakeFirst()
  if (!group) throw notFound('group')
  return group
}

/** A manager would tell the owner, who may not be in it, that a group of a provider exists. */
function assertMayShareWith({ provider }: FoundGroup, { role }: Share): void {
  if (provider === null || role === 'owner') return
  throw new AppError('forbidden', 'Only the owner of a folder can share it with a group of a sign-in provider.')
}

/** Counts the invitations. Those by a group of a provider count once, because the user doesn't choose the addresses. */
async function admitGroup(ctx: UserContext, group: FoundGroup, { id, owner_id }: Share): Promise<void> {
  if (group.provider === null) return admitInvitations(ctx, [owner_id], await listAdditions(ctx.db, [id], group))
  await ctx.rateLimits.consume('invitations of groups', GROUP_INVITATIONS, ctx.user.id)
  await followOwners(ctx, [owner_id])
}

/** Everybody in a group of a provider can share as many folders with it. */
async function assertFewGroups(
  tx: Tx,
  folderId: string,
  { id: groupId, provider }: FoundGroup,
  userId: string,
): Promise<void> {
  const { groups, folders } = await tx
    .selectFrom('folder_groups')
    .select((eb) => [
      eb.fn.count<number>(eb.case().when('folder_id', '=', folderId).then(1).end()).as('groups'),
      eb.fn.count<number>(eb.case().when('group_id', '=', groupId).then(1).end()).as('folders'),
    ])
    .$if(provider !== null, (query) =>
      query.innerJoin('items', 'items.id', 'folder_groups.folder_id').where('items.owner_id', '=', userId),
    )
    .where((eb) => eb.or([eb('folder_id', '=', folderId), eb('group_id', '=', groupId)]))
    .executeTakeFirstOrThrow()
  if (Number(groups) > MAX_GROUPS_PER_FOLDER) {
    throw new AppError('state_conflict', `A folder can be shared with at most ${MAX_GROUPS_PER_FOLDER} groups.`)
  }
  if (Number(folders) > MAX_FOLDERS_PER_GROUP) {
    throw new AppError('state_conflict', `At most ${MAX_FOLDERS_PER_GROUP} folders can be shared with one group.`)
  }
}

export const changeFolderGroup = endpoint(calls.changeFolderGroup, async (ctx, { id, groupId, role }) => {
  await changeShare(ctx, { id, groupId }, (tx) =>
    tx
      .updateTable('folder_groups')
      .set({ role })
      .where('folder_id', '=', id)
      .where('group_id', '=', groupId)
      .executeTakeFirstOrThrow()
      .then(({ numUpdatedRows }) => numUpdatedRows),
  )
  return { message: 'The role of the group was changed.' }
})

export const removeFolderGroup = endpoint(calls.removeFolderGroup, async (ctx, { id, groupId }) => {
  await changeShare(ctx, { id, groupId }, (tx) =>
    tx
      .deleteFrom('folder_groups')
      .where('folder_id', '=', id)
      .where('group_id', '=', groupId)
      .executeTakeFirstOrThrow()
      .then(({ numDeletedRows }) => numDeletedRows),
  )
  return { message: 'The folder isn’t shared with the group any more.' }
})

/** Throws if a manager would change the role of a group of a provider. Only the owner of the folder knows that it is shared with it. */
async function assertOwn({ user }: UserContext, tx: Tx, groupId: string): Promise<void> {
  const own = tx.selectFrom('people_groups').select('id').where('id', '=', groupId).where('owner_id', '=', user.id)
  if (!(await own.executeTakeFirst())) throw notFound('group')
}

/** Changes the row of a folder and a group, and then the members who came by it. */
function changeShare(
  ctx: UserContext,
  { id, groupId }: { id: string; groupId: string },
  change: (tx: Tx) => Promise<bigint>,
): Promise<void> {
  return changeGroup(ctx, { groupId, folderId: id }, async (tx) => {
    const share = await getShare(ctx, tx, id)
    assertMayManage(share)
    if (share.role !== 'owner') await assertOwn(ctx, tx, groupId)
    if ((await change(tx)) === 0n) throw notFound('group')
    return []
  })
}
