import { calls } from '@alcove/contract/calls'
import { suffices } from '@alcove/contract/roles'
import { sql } from 'kysely'
import type { UserContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { yieldingTransaction } from '../../platform/db/yielding-transaction.ts'
import { endpoint } from '../../platform/http/api.ts'
import { queueMountRemoval } from '../items/index.ts'
import { discardUploadsOfMembers } from '../uploads/index.ts'
import { listGroupsOf } from './groups/folder-groups.ts'
import { detachGroups } from './groups/sync-group-members.ts'
import { presentMember, selectMembers } from './member-rows.ts'
import { assertMayManage, getShare, mayManage, type Share } from './share.ts'

export const listMembers = endpoint(calls.listMembers, async (ctx, { id }) => {
  const share = await getShare(ctx, ctx.db, id)
  const members = await visibleMembers(ctx.db, share).orderBy('members.created_at').orderBy('members.id').execute()
  return {
    owner: { email: share.owner_email, displayName: share.owner_name },
    yourRole: share.role,
    members: members.map((row) => presentMember(row, ctx, share.owner_id)),
    groups: await listGroupsOf(ctx, id),
  }
})

export const getMember = endpoint(calls.getMember, async (ctx, { id, memberId }) => {
  const share = await getShare(ctx, ctx.db, id)
  return presentMember(await findVisible(ctx.db, share, memberId), ctx, share.owner_id)
})

/**
 * Changes a role at once. The next request of the member is judged by it, and unfinished uploads that it doesn't allow end. Deleting
 * the folder takes the same locks in the opposite order, so this gives way.
 */
export const changeMember = endpoint(calls.changeMember, async (ctx, { id, memberId, role }) =>
  yieldingTransaction(ctx.db, async (tx) => {
    const share = await getShare(ctx, tx, id)
    assertMayManage(share)
    const { numUpdatedRows } = await tx
      .updateTable('members')
      // Given to the person alone, it counts whatever their groups say.
      .set({ role, group_id: null })
      .where('id', '=', memberId)
      .where('folder_id', '=', id)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw notFound('member')
    if (!suffices(role, 'manager')) await detachGroups(tx, [id])
    if (!suffices(role, 'contributor')) await discardUploadsOfMembers(ctx, tx, [memberId])
    const changed = await selectMembers(tx, id).where('members.id', '=', memberId).executeTakeFirstOrThrow()
    return presentMember(changed, ctx, share.owner_id)
  }),
)

export const removeMember = endpoint(calls.removeMember, async (ctx, { id, memberId }) => {
  const isOwn = await yieldingTransaction(ctx.db, async (tx) => {
    const share = await getShare(ctx, tx, id)
    const isLeaving = memberId === share.member_id
    if (!isLeaving) assertMayManage(share)
    await endMembership(ctx, tx, id, memberId)
    return isLeaving
  })
  return { message: isOwn ? 'You left the folder.' : 'The member was removed.' }
})

async function endMembership(ctx: UserContext, tx: Tx, folderId: string, memberId: string): Promise<void> {
  // Locks the membership first, so that no upload is added to it meanwhile.
  const { numUpdatedRows } = await tx
    .updateTable('members')
    .set((eb) => ({ role: eb.ref('role') }))
    .where('id', '=', memberId)
    .where('folder_id', '=', folderId)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw notFound('member')
  await discardUploadsOfMembers(ctx, tx, [memberId])
  await queueMountRemoval(ctx, tx, sql`members.id = ${memberId}`)
  await tx.deleteFrom('members').where('id', '=', memberId).execute()
  await detachGroups(tx, [folderId])
}

/** Selects the members that the user sees: open invitations are for the owner and managers. */
function visibleMembers(db: Database, share: Share) {
  const all = selectMembers(db, share.id)
  return mayManage(share) ? all : all.where('accepted_at', 'is not', null)
}

async function findVisible(db: Database, share: Share, memberId: string) {
  const found = await visibleMembers(db, share).where('members.id', '=', memberId).executeTakeFirst()
  if (!found) throw notFound('member')
  return found
}
