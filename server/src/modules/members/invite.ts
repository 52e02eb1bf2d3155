import { randomUUIDv7 } from 'node:crypto'
import { calls } from '@alcove/contract/calls'
import { MAX_MEMBERS } from '@alcove/contract/limits'
import { HOUR } from '@alcove/contract/rate-limits'
import type { Role } from '@alcove/contract/roles'
import type { UserContext } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { Tx } from '../../platform/db/database.ts'
import { endpoint } from '../../platform/http/api.ts'
import { findMembership } from '../../platform/http/members.ts'
import { changeTree, followFolders } from '../items/index.ts'
import { notify } from '../notices/index.ts'
import { invitationMailJob, sendInvitationMails } from './invitation-mail.ts'
import { presentMember, selectMembers } from './member-rows.ts'
import { assertMayManage, findShare, type Share } from './share.ts'

/** Each invitation sends a mail to an address that the user chooses. */
export const INVITATIONS = { points: 100, seconds: HOUR }

/**
 * Invites someone to a folder by address. The response is the same whether or not the address has an account. The tree of the owner
 * is locked, so that no more members are added than allowed.
 */
export const inviteMember = endpoint(calls.inviteMember, async (ctx, { id: folderId, email, role }) => {
  const { owner_id } = await getInvitable(ctx, ctx.db, folderId, email)
  await ctx.rateLimits.consume('invitations', INVITATIONS, ctx.user.id)
  const user = owner_id === ctx.user.id ? ctx.user : { id: owner_id }
  // The members' tabs ask the folder whether anything in it has changed.
  await followFolders({ ...ctx, user })
  const invited = await changeTree({ ...ctx, user }, async (tx) => {
    await getInvitable(ctx, tx, folderId, email)
    await assertMayAdd(tx, folderId, email)
    const id = randomUUIDv7()
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('members')
      .values({
        ...{ id, folder_id: folderId, owner_id, user_id: null, email, role },
        ...{ invited_by: ctx.user.id, created_at: ctx.clock.now(), accepted_at: null },
      })
      .onConflict((conflict) => conflict.columns(['folder_id', 'email']).doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) throw invitedAlready(email)
    await ctx.jobs.enqueue(tx, invitationMailJob, { memberId: id })
    await notifyInvited(ctx, tx, { folderId, email, role })
    return selectMembers(tx, folderId).where('members.id', '=', id).executeTakeFirstOrThrow()
  })
  await sendInvitationMails(ctx)
  return presentMember(invited, ctx, owner_id)
})

/** Tells the user who has the address, if it is confirmed. */
async function notifyInvited(
  ctx: UserContext,
  tx: Tx,
  { folderId, email, role }: { folderId: string; email: string; role: Role },
): Promise<void> {
  const found = await tx
    .selectFrom('users')
    .innerJoin('users as inviter', (join) => join.on('inviter.id', '=', ctx.user.id))
    .innerJoin('items', (join) => join.on('items.id', '=', folderId))
    .select(['users.id', 'inviter.email', 'inviter.display_name', 'items.name'])
    .where('users.email', '=', email)
    .where('users.activated_at', 'is not', null)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!found) return
  const data = { folder: found.name, from: found.display_name ?? found.email, role }
  await notify(ctx, tx, found.id, { kind: 'share_offered', data })
}

/** Returns the folder if the user may invite this address to it. Throws with the reason otherwise. */
async function getInvitable(ctx: UserContext, db: UserContext['db'], folderId: string, email: string): Promise<Share> {
  const share = await findShare(ctx, db, folderId)
  if (!share) throw await explainMissing(ctx, folderId)
  assertMayManage(share)
  if (share.area === 'vault') {
    throw new AppError(
      'state_conflict',
      'Vault folders can’t be shared with people, because the files can be read only with your passphrase.',
    )
  }
  if (!ctx.user.isActivated) {
    throw new AppError('forbidden', 'Confirm your email address before you invite people.')
  }
  if (email === ctx.user.email) throw new AppError('state_conflict', 'You can’t invite yourself.')
  if (email === share.owner_email) throw new AppError('state_conflict', 'This is the owner of the folder.')
  return share
}

/** A member knows that the folder exists, so the reason can be told. For all others it doesn't exist. */
async function explainMissing({ db, user }: UserContext, folderId: string): Promise<AppError> {
  const isInside = user.hasSharedFolders && (await findMembership(db, user.id, [folderId]))
  if (!isInside) return notFound('folder')
  return new AppError('forbidden', 'Only the owner can share a folder that lies inside a shared folder.')
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
