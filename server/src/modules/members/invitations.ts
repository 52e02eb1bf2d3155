import { calls } from '@alcove/contract/calls'
import { MAX_SHARED_FOLDERS } from '@alcove/contract/limits'
import { type SqlBool, sql } from 'kysely'
import type { UserContext } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import { isUniqueViolation } from '../../platform/db/database-errors.ts'
import { endpoint } from '../../platform/http/api.ts'
import { changeTree } from '../items/index.ts'
import { findSharedFolder } from './shared-with-me.ts'

/**
 * Accepts an invitation to the user's address. It must be confirmed when the statement runs: otherwise somebody could register a
 * stranger's address and get what was meant for them. Repeating it returns the same. The user's own row is locked, so that nobody
 * gets more folders than allowed.
 */
export const acceptInvitation = endpoint(calls.acceptInvitation, async (ctx, { id }) => {
  const accepted = changeTree(ctx, (tx) =>
    tx
      .updateTable('members')
      .set({ user_id: ctx.user.id, accepted_at: ctx.clock.now() })
      .where('id', '=', id)
      .where('accepted_at', 'is', null)
      .where(isToUser(ctx))
      .where(isOpen)
      .where(hasFewerFolders(ctx))
      .execute(),
  )
  await accepted.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error
    throw new AppError('state_conflict', 'This folder is shared with you already.')
  })
  const shared = await findSharedFolder(ctx, id)
  if (shared) return shared
  throw (await isInvited(ctx, id)) ? tooMany() : notFound('invitation')
})

export const declineInvitation = endpoint(calls.declineInvitation, async (ctx, { id }) => {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('members')
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where(isToUser(ctx))
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notFound('invitation')
  return { message: 'The invitation was declined.' }
})

/**
 * Returns a condition: the invitation is to the account, or to nobody's and to its confirmed address, and the user doesn't own the folder.
 */
function isToUser({ user }: UserContext) {
  return sql<SqlBool>`members.owner_id <> ${user.id} and (members.account_id = ${user.id} or members.account_id is null
    and members.email =
      (select users.email from users where users.id = ${user.id} and activated_at is not null and deleted_at is null))`
}

/** The folder is visible, and its owner's account exists and isn't suspended. */
const isOpen = sql<SqlBool>`exists (
  select 1 from items folder join users owner on owner.id = folder.owner_id
  where folder.id = members.folder_id and folder.trash_id is null
    and owner.deleted_at is null and owner.suspended_at is null)`

function hasFewerFolders({ user }: UserContext) {
  return sql<SqlBool>`(select count(*) from members other where other.user_id = ${user.id}) < ${MAX_SHARED_FOLDERS}`
}

async function isInvited(ctx: UserContext, id: string): Promise<boolean> {
  const invitation = ctx.db.selectFrom('members').select('id').where('id', '=', id).where('accepted_at', 'is', null)
  return (await invitation.where(isToUser(ctx)).where(isOpen).executeTakeFirst()) !== undefined
}

function tooMany(): AppError {
  return new AppError(
    'state_conflict',
    `At most ${MAX_SHARED_FOLDERS} folders can be shared with you. Leave one of them first.`,
  )
}
