import { calls } from '@alcove/contract/calls'
import { MAX_FOLDERS_PER_GROUP, MAX_GROUPS_PER_FOLDER } from '@alcove/contract/limits'
import type { FolderGroup } from '@alcove/contract/members'
import type { Role } from '@alcove/contract/roles'
import type { UserContext } from '../../../context.ts'
import { AppError, notFound } from '../../../errors.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { getInviting } from '../may-invite.ts'
import { assertMayManage, getShare } from '../share.ts'
import { admitInvitations, changeGroup } from './change-group.ts'
import type { Addition } from './sync-group-members.ts'

/** Lists the user's own groups with which a folder is shared. */
export async function listGroupsOf({ db, user }: UserContext, folderId: string): Promise<FolderGroup[]> {
  return db
    .selectFrom('folder_groups')
    .innerJoin('people_groups', 'people_groups.id', 'folder_groups.group_id')
    .select(['people_groups.id', 'people_groups.name', 'role'])
    .where('folder_id', '=', folderId)
    .where('people_groups.owner_id', '=', user.id)
    .orderBy('folder_groups.created_at')
    .orderBy('people_groups.id')
    .execute()
}

interface InvitedGroup {
  folderId: string
  groupId: string
  role: Role
}

/** Shares a folder with a group of the user: everyone in it is invited who isn't a member yet. */
export async function inviteGroup(ctx: UserContext, { folderId, groupId, role }: InvitedGroup): Promise<FolderGroup> {
  const { owner_id } = await getInviting(ctx, ctx.db, folderId)
  const group = await getGroup(ctx, groupId)
  await admitInvitations(ctx, [owner_id], await listAdditions(ctx.db, folderId, groupId))
  await changeGroup(ctx, { groupId, folderId }, async (tx) => {
    await getInviting(ctx, tx, folderId)
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('folder_groups')
      .values({ folder_id: folderId, group_id: groupId, role, created_at: ctx.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) {
      throw new AppError('state_conflict', `The group “${group.name}” has been invited to this folder already.`)
    }
    await assertFewGroups(tx, folderId, groupId)
    return listAdditions(tx, folderId, groupId)
  })
  return { id: groupId, name: group.name, role }
}

async function getGroup({ db, user }: UserContext, id: string): Promise<{ name: string }> {
  const own = db.selectFrom('people_groups').select('name').where('id', '=', id).where('owner_id', '=', user.id)
  const group = await own.executeTakeFirst()
  if (!group) throw notFound('group')
  return group
}

async function listAdditions(db: Database, folderId: string, groupId: string): Promise<Addition[]> {
  const people = db.selectFrom('group_people').select('email').where('group_id', '=', groupId)
  return (await people.execute()).map(({ email }) => ({ folderId, email }))
}

async function assertFewGroups(tx: Tx, folderId: string, groupId: string): Promise<void> {
  const { groups, folders } = await tx
    .selectFrom('folder_groups')
    .select((eb) => [
      eb.fn.count<number>(eb.case().when('folder_id', '=', folderId).then(1).end()).as('groups'),
      eb.fn.count<number>(eb.case().when('group_id', '=', groupId).then(1).end()).as('folders'),
    ])
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

/** Changes the row of a folder and a group, and then the members who came by it. */
function changeShare(
  ctx: UserContext,
  { id, groupId }: { id: string; groupId: string },
  change: (tx: Tx) => Promise<bigint>,
): Promise<void> {
  return changeGroup(ctx, { groupId, folderId: id }, async (tx) => {
    assertMayManage(await getShare(ctx, tx, id))
    if ((await change(tx)) === 0n) throw notFound('group')
    return []
  })
}
