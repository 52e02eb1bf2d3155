import type { Role } from '@alcove/contract/roles'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import { orderedId } from '../../platform/ordered-id.ts'
import { type NewNotice, notifyAll } from '../notices/index.ts'
import { invitationMailJob } from './invitation-mail.ts'

export interface NewInvitation {
  folderId: string
  ownerId: string
  email: string
  role: Role
  /** The group by which the person is invited. Null for a person alone. */
  groupId: string | null
  /** The only account that can accept. Null for the one that has the address. */
  accountId: string | null
}

/** The context of whoever invites. */
export type Inviting = Services & { readonly user: { readonly id: string } }

/** The number of rows per insert. */
const ROWS_AT_ONCE = 500

/**
 * Invites people to folders, and queues mails and notices about it. Leaves out addresses that were invited to a folder before. Returns
 * the ids of the new memberships.
 */
export async function addInvitations(ctx: Inviting, tx: Tx, invitations: readonly NewInvitation[]): Promise<string[]> {
  const rows = invitations.map(({ folderId, ownerId, email, role, groupId, accountId }) => ({
    ...{ id: orderedId(), folder_id: folderId, owner_id: ownerId, user_id: null, email, role, group_id: groupId },
    ...{ account_id: accountId, invited_by: ctx.user.id, created_at: ctx.clock.now(), accepted_at: null },
  }))
  const added: Added[] = []
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const some = await tx
      .insertInto('members')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .onConflict((conflict) => conflict.columns(['folder_id', 'email']).doNothing())
      .returning(['id', 'folder_id', 'email', 'role'])
      .execute()
    added.push(...some)
  }
  const ids = added.map(({ id }) => id)
  await ctx.jobs.enqueueAll(
    tx,
    invitationMailJob,
    ids.map((memberId) => ({ memberId })),
  )
  await notifyInvited(ctx, tx, added)
  return ids
}

interface Added {
  id: string
  folder_id: string
  email: string
  role: Role
}

/** Tells the users who have confirmed these addresses. */
async function notifyInvited(ctx: Inviting, tx: Tx, added: readonly Added[]): Promise<void> {
  const users = await tx
    .selectFrom('users')
    .select(['id', 'email'])
    .where(isAmong(tx, 'email', [...new Set(added.map(({ email }) => email))]))
    .where('activated_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .execute()
  if (users.length === 0) return
  const idOf = new Map(users.map(({ id, email }) => [email, id]))
  const inviter = await tx
    .selectFrom('users')
    .select(['email', 'display_name'])
    .where('id', '=', ctx.user.id)
    .executeTakeFirstOrThrow()
  const from = inviter.display_name ?? inviter.email
  const folders = await tx
    .selectFrom('items')
    .select(['id', 'name'])
    .where(isAmong(tx, 'id', [...new Set(added.map(({ folder_id }) => folder_id))]))
    .where('trash_id', 'is', null)
    .execute()
  for (const { id, name } of folders) {
    const notices = added.flatMap(({ folder_id, email, role }): [string, NewNotice][] => {
      const userId = idOf.get(email)
      if (folder_id !== id || userId === undefined) return []
      return [[userId, { kind: 'share_offered', data: { folder: name, from, role } }]]
    })
    await notifyAll(ctx, tx, new Map(notices))
  }
}
