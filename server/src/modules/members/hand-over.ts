import { calls } from '@alcove/contract/calls'
import { MAX_SHARED_FOLDERS } from '@alcove/contract/limits'
import type { UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Tx } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import { endpoint } from '../../platform/http/api.ts'
import { orderedId } from '../../platform/ordered-id.ts'
import { changeGivingWay, changeOwner, followFolders } from '../items/index.ts'
import { notify } from '../notices/index.ts'
import { handOverUploads } from '../uploads/index.ts'
import { detachProviderGroups } from './groups/sync-group-members.ts'
import { assertIsAlone, findOffer, HAND_OVERS, noOffer, type Offer } from './hand-over-offers.ts'

/**
 * Makes the member to whom a folder is offered its owner: one transaction, which locks the trees of both. Repeating it finds the folder
 * among the own ones.
 */
export const acceptHandOver = endpoint(calls.acceptHandOver, async (ctx, { id }) => {
  if (!ctx.user.isActivated) {
    throw new AppError('forbidden', 'Confirm your email address before you become the owner of a folder.')
  }
  await ctx.rateLimits.consume('hand-overs', HAND_OVERS, ctx.user.id)
  const offer = await findOffer(ctx, ctx.db, id)
  if (!offer) {
    if (await ownsFolder(ctx, id)) return accepted
    throw noOffer()
  }
  // As with each folder that is shared, members' tabs ask whether anything in it has changed.
  await followFolders(ctx)
  await changeGivingWay(ctx, [offer.owner_id], async (tx) => {
    // It may have been withdrawn meanwhile, or accepted by another request.
    const current = await findOffer(ctx, tx, id)
    if (current) await handOver(ctx, tx, current)
    else if (!(await ownsFolder({ ...ctx, db: tx }, id))) throw noOffer()
  })
  return accepted
})

const accepted = { message: 'You are the owner of the folder now.' }

async function ownsFolder({ db, user }: Pick<UserContext, 'db' | 'user'>, id: string): Promise<boolean> {
  const own = db.selectFrom('items').select('id').where('id', '=', id).where('owner_id', '=', user.id)
  return (await own.where('kind', '=', 'folder').where('parent_id', 'is not', null).executeTakeFirst()) !== undefined
}

/** Changes the owner of the folder and of everything that belongs to it. Both trees must be locked. */
async function handOver(ctx: UserContext, tx: Tx, offer: Offer): Promise<void> {
  const { user } = ctx
  const { folder_id: folderId, owner_id: fromId } = offer
  await assertIsAlone(tx, folderId)
  const folder = { id: folderId, parent_id: offer.parent_id, name: offer.name }
  const fromMemberId = await addFormerOwner(ctx, tx, offer)
  const { folderIds } = await changeOwner(ctx, tx, { folder, fromId, fromMemberId, to: user })
  await handOverUploads(ctx, tx, { folderIds, fromId, toId: user.id, beginsId: fromMemberId, endsId: offer.id })
  // The new owner is no member any more, nor invited, whether to the folder or to one in it.
  await tx
    .deleteFrom('members')
    .where(isAmong(tx, 'folder_id', folderIds))
    .where((eb) =>
      eb.or([
        eb('user_id', '=', user.id),
        eb('account_id', '=', user.id),
        eb('user_id', 'is', null).and('email', '=', user.email),
      ]),
    )
    .execute()
  await tx
    .updateTable('members')
    .set({ owner_id: user.id })
    .where(isAmong(tx, 'folder_id', folderIds))
    .execute()
  await detachProviderGroups(tx, folderIds, user.id)
  const data = { folderId, folder: offer.name, by: offer.display_name ?? user.email, isAccepted: true }
  await notify(ctx, tx, fromId, { kind: 'ownership_answered', data })
}

/** Makes the former owner a manager, and returns the id of the membership. */
async function addFormerOwner({ clock, user }: UserContext, tx: Tx, offer: Offer): Promise<string> {
  const { count } = await tx
    .selectFrom('members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', offer.owner_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_SHARED_FOLDERS) {
    throw new AppError(
      'state_conflict',
      `The owner would be a manager of the folder, but takes part in ${MAX_SHARED_FOLDERS} shared folders already, which is the maximum.`,
    )
  }
  const { folder_id, owner_id: userId, owner_email } = offer
  await tx
    .deleteFrom('members')
    .where('folder_id', '=', folder_id)
    .where('email', '=', owner_email)
    .where('user_id', 'is', null)
    .execute()
  const now = clock.now()
  const id = orderedId()
  const add = (email: string) =>
    tx
      .insertInto('members')
      .values({
        ...{ id, folder_id, owner_id: user.id, user_id: userId, email, role: 'manager', invited_by: user.id },
        ...{ created_at: now, accepted_at: now },
      })
      .onConflict((conflict) => conflict.columns(['folder_id', 'email']).doNothing())
      .executeTakeFirstOrThrow()
  const { numInsertedOrUpdatedRows } = await add(owner_email)
  // Another member was invited by this address, before it became that of the owner.
  if (numInsertedOrUpdatedRows === 0n) await add(userId)
  return id
}

export const declineHandOver = endpoint(calls.declineHandOver, async (ctx, { id }) => {
  await ctx.db.transaction().execute(async (tx) => {
    const offer = await findOffer(ctx, tx, id)
    if (!offer) throw noOffer()
    const { numUpdatedRows } = await tx
      .updateTable('members')
      .set({ offered_at: null })
      .where('id', '=', offer.id)
      .where('offered_at', 'is not', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return
    const by = offer.display_name ?? ctx.user.email
    const data = { folderId: id, folder: offer.name, by, isAccepted: false }
    await notify(ctx, tx, offer.owner_id, { kind: 'ownership_answered', data })
  })
  return { message: 'You declined to become the owner. The folder stays shared with you.' }
})
