import { calls } from '@alcove/contract/calls'
import { MAX_MEMBERS } from '@alcove/contract/limits'
import type { Member } from '@alcove/contract/members'
import type { UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { endpoint } from '../../platform/http/api.ts'
import { changeTree, followFolders } from '../items/index.ts'
import { addInvitations } from './add-invitations.ts'
import { inviteGroup } from './groups/folder-groups.ts'
import { sendInvitationMails } from './invitation-mail.ts'
import { getInviting, INVITATIONS } from './may-invite.ts'
import { presentMember, selectMembers } from './member-rows.ts'
import type { Share } from './share.ts'

/** Invites someone to a folder by address, or everyone in a group. */
export const inviteMember = endpoint(calls.inviteMember, async (ctx, { id: folderId, email, groupId, role }) => {
  // The contract requires one of them.
  const invited = email === undefined ? inviteGroup(ctx, { folderId, groupId: groupId as string, role }) : invite(email)
  const response = await invited
  await sendInvitationMails(ctx)
  return response

  /**
   * Invites one address. The response is the same whether or not it has an account. The tree of the owner is locked, so that no more
   * members are added than allowed.
   */
  async function invite(email: string): Promise<Member> {
    const { owner_id: ownerId } = await getInvitable(ctx, ctx.db, folderId, email)
    await ctx.rateLimits.consume('invitations', INVITATIONS, ctx.user.id)
    const user = ownerId === ctx.user.id ? ctx.user : { id: ownerId }
    // The members' tabs ask the folder whether anything in it has changed.
    await followFolders({ ...ctx, user })
    const invited = await changeTree({ ...ctx, user }, async (tx) => {
      await getInvitable(ctx, tx, folderId, email)
      await assertMayAdd(tx, folderId, email)
      const [id] = await addInvitations(ctx, tx, [{ folderId, ownerId, email, role, groupId: null, accountId: null }])
      if (id === undefined) throw invitedAlready(email)
      return selectMembers(tx, folderId).where('members.id', '=', id).executeTakeFirstOrThrow()
    })
    return presentMember(invited, ctx, ownerId)
  }
})

/** Like `getInviting`, for one address. */
async function getInvitable(ctx: UserContext, db: Database, folderId: string, email: string): Promise<Share> {
  const share = await getInviting(ctx, db, folderId)
  if (email === ctx.user.email) throw new AppError('state_conflict', 'You can’t invite yourself.')
  if (email === share.owner_email) throw new AppError('state_conflict', 'This is the owner of the folder.')
  return share
}

/** Throws if someone with this address is a member, or if the folder has as many members as it can. */
async function assertMayAdd(tx: Tx, folderId: string, email: string): Promise<void> {
  const { total, same } = await tx
    .selectFrom('members')
    .leftJoin('users', 'users.id', 'members.user_id')
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.count<number>(eb.case().when('users.email', '=', email).then(1).end()).as('same'),
    ])
    .where('folder_id', '=', folderId)
    .executeTakeFirstOrThrow()
  if (Number(same) > 0) throw invitedAlready(email)
  if (Number(total) < MAX_MEMBERS) return
  throw new AppError(
    'state_conflict',
    `A folder can be shared with at most ${MAX_MEMBERS} people. Remove some of them first.`,
  )
}

function invitedAlready(email: string): AppError {
  return new AppError('state_conflict', `${email} has been invited to this folder already.`)
}
