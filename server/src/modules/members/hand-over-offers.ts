import { calls } from '@alcove/contract/calls'
import type { HandOver } from '@alcove/contract/members'
import { HOUR } from '@alcove/contract/rate-limits'
import { type SqlBool, sql } from 'kysely'
import type { UserContext } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { formatTime } from '../../platform/format.ts'
import { endpoint } from '../../platform/http/api.ts'
import { notAllowed } from '../../platform/http/members.ts'
import { changeGivingWay, measureWholeFolder } from '../items/index.ts'
import { notify } from '../notices/index.ts'
import { selectMembers } from './member-rows.ts'
import { getShare } from './share.ts'

/** Offers send notices, and accepting one changes everything in the folder. */
export const HAND_OVERS = { points: 30, seconds: HOUR }

/** A folder that its owner offers to the user. */
export type Offer = NonNullable<Awaited<ReturnType<typeof findOffer>>>

/** Finds the offer of a visible folder to the user, who is a member of it. */
export function findOffer({ user }: UserContext, db: Database, folderId: string) {
  return db
    .selectFrom('members')
    .innerJoin('items as folder', 'folder.id', 'members.folder_id')
    .innerJoin('users as owner', 'owner.id', 'folder.owner_id')
    .innerJoin('users as member', 'member.id', 'members.user_id')
    .select(['members.id', 'members.folder_id', 'folder.owner_id', 'folder.parent_id', 'folder.name'])
    .select(['owner.email as owner_email', 'member.display_name'])
    .where('members.folder_id', '=', folderId)
    .where('members.user_id', '=', user.id)
    .where('members.offered_at', 'is not', null)
    .where('folder.trash_id', 'is', null)
    .where('owner.deleted_at', 'is', null)
    .where('owner.suspended_at', 'is', null)
    .$narrowType<{ parent_id: string }>()
    .executeTakeFirst()
}

export function noOffer(): AppError {
  return new AppError(
    'not_found',
    'This folder isn’t offered to you. The owner may have taken the offer back or deleted the folder.',
  )
}

/** Throws if others share the folder because they share one around it: they would lose it without a word. */
export async function assertIsAlone(db: Database, folderId: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    with recursive above (id, parent_id) as (
      select id, parent_id from items where id = ${folderId}
      union all
      select parent.id, parent.parent_id from above join items parent on parent.id = above.parent_id
    )
    select items.name from above join items on items.id = above.id
    where above.id <> ${folderId} and exists (select 1 from members where members.folder_id = above.id)`.execute(db)
  const [around] = rows
  if (!around) return
  throw new AppError(
    'state_conflict',
    `This folder lies in the shared folder “${around.name}”. Move it out of there first, or hand that folder over.`,
  )
}

/** Returns how much a folder holds, to its owner and to the member to whom it is offered. */
export const getHandOver = endpoint(calls.getHandOver, async (ctx, { id }) => {
  const { role } = await getShare(ctx, ctx.db, id)
  if (role !== 'owner' && !(await findOffer(ctx, ctx.db, id))) throw notAllowed('manager')
  return describeHandOver(ctx.db, id)
})

async function describeHandOver(db: Database, folderId: string): Promise<HandOver> {
  const { items, bytes } = await measureWholeFolder(db, folderId)
  const offered = await selectMembers(db, folderId).where('offered_at', 'is not', null).executeTakeFirst()
  return {
    items,
    bytes,
    offeredTo: offered
      ? {
          memberId: offered.id,
          email: offered.user_email ?? offered.email,
          displayName: offered.display_name,
          offeredAt: formatTime(offered.offered_at as number),
        }
      : null,
  }
}

/**
 * Offers a folder to a member. The tree of the owner is locked, so that a folder is offered once, and not from the trash. Uploads of
 * members take the same locks in the opposite order, so this gives way.
 */
export const offerHandOver = endpoint(calls.offerHandOver, async (ctx, { id, memberId }) => {
  await assertOwns(ctx, ctx.db, id)
  if (!ctx.user.isActivated) {
    throw new AppError('forbidden', 'Confirm your email address before you hand a folder over.')
  }
  await ctx.rateLimits.consume('hand-overs', HAND_OVERS, ctx.user.id)
  return changeGivingWay(ctx, [], async (tx) => {
    const share = await assertOwns(ctx, tx, id)
    await assertIsAlone(tx, id)
    const member = await selectMembers(tx, id).where('members.id', '=', memberId).executeTakeFirst()
    if (!member) throw notFound('member')
    if (member.user_id === null) {
      throw new AppError('state_conflict', `${member.email} hasn’t accepted the invitation to this folder yet.`)
    }
    await clearOffer(tx, id, memberId)
    const { numUpdatedRows } = await tx
      .updateTable('members')
      .set({ offered_at: ctx.clock.now() })
      .where('id', '=', memberId)
      .where('offered_at', 'is', null)
      .executeTakeFirstOrThrow()
    const offer = await describeHandOver(tx, id)
    if (numUpdatedRows > 0n) {
      const { items, bytes } = offer
      const data = { folderId: id, folder: share.name, from: share.owner_name ?? share.owner_email, items, bytes }
      await notify(ctx, tx, member.user_id, { kind: 'ownership_offered', data })
    }
    return offer
  })
})

export const withdrawHandOver = endpoint(calls.withdrawHandOver, async (ctx, { id }) => {
  await changeGivingWay(ctx, [], async (tx) => {
    await assertOwns(ctx, tx, id)
    await clearOffer(tx, id)
  })
  return { message: 'The folder stays yours.' }
})

/** Takes back the offer of a folder, unless it is to this member. */
async function clearOffer(tx: Tx, folderId: string, exceptMemberId?: string): Promise<void> {
  await tx
    .updateTable('members')
    .set({ offered_at: null })
    .where('folder_id', '=', folderId)
    .where('offered_at', 'is not', null)
    .where(exceptMemberId === undefined ? sql<SqlBool>`true` : sql<SqlBool>`id <> ${exceptMemberId}`)
    .execute()
}

async function assertOwns(ctx: UserContext, db: Database, folderId: string) {
  const share = await getShare(ctx, db, folderId)
  if (share.role !== 'owner') throw notAllowed('manager')
  return share
}
