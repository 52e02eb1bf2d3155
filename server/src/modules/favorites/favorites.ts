import type { ParsedInputOf } from '@alcove/contract/call'
import { calls } from '@alcove/contract/calls'
import type { Selection } from '@alcove/contract/selection'
import type { SessionUser, UserContext } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { endpoint } from '../../platform/http/api.ts'
import {
  assertNoFailures,
  changeTree,
  getOwnFile,
  getOwnFolderOrMount,
  listChosen,
  lockTree,
  presentChanged,
  transactAndAnnounce,
} from '../items/index.ts'
import { type MixedIds, setSharedFavorite, splitSelection } from './shared-favorites.ts'

export const addFavorite = endpoint(calls.addFavorite, async (ctx, input) => {
  await markItem(ctx, input, true)
  return { message: 'Added to favorites' }
})

export const removeFavorite = endpoint(calls.removeFavorite, async (ctx, input) => {
  await markItem(ctx, input, false)
  return { message: 'Removed from favorites' }
})

export const favoriteItems = endpoint(calls.favoriteItems, async (ctx, { isFavorite, ...selection }) => {
  const mixed = await splitSelection(ctx, selection)
  const itemIds = mixed
    ? await markMixed(ctx, mixed, isFavorite)
    : await changeTree(ctx, (tx) => markOwn(ctx, tx, selection, isFavorite))
  return presentChanged(itemIds, isFavorite ? 'added to favorites' : 'removed from favorites')
})

async function markOwn(ctx: UserContext, tx: Tx, selection: Selection, isFavorite: boolean): Promise<string[]> {
  const items = await listChosen(tx, ctx.user, selection)
  const secret = items.filter(({ area }) => area === 'vault')
  assertNoFailures(secret.map(({ id, name }) => ({ itemId: id, name, refusal: vaultError() })))
  const ids = items.map(({ id }) => id)
  await setFavorite(tx, ids, isFavorite, ctx.clock.now())
  return ids
}

/** Marks items of others together with own ones. Memberships are locked before the own tree. */
function markMixed(ctx: UserContext, { own, others }: MixedIds, isFavorite: boolean): Promise<string[]> {
  return transactAndAnnounce(ctx, async (tx) => {
    await setSharedFavorite(tx, ctx, others, isFavorite)
    await lockTree(tx, ctx.user.id)
    const marked = own.length === 0 ? [] : await markOwn(ctx, tx, { itemIds: [...own] }, isFavorite)
    return [...marked, ...others]
  })
}

/** Sets or clears the favorite mark of a visible item in the drive. Setting it again keeps its time. */
async function markItem(
  ctx: UserContext,
  { itemType, itemId }: ParsedInputOf<typeof calls.addFavorite>,
  isFavorite: boolean,
): Promise<void> {
  const { db, user, clock } = ctx
  if (user.hasSharedFolders && (await isOfOthers(db, user, itemType, itemId))) {
    await markMixed(ctx, { own: [], others: [itemId] }, isFavorite)
    return
  }
  const item = await (itemType === 'file' ? getOwnFile : getOwnFolderOrMount)(db, user, itemId)
  if (item.area === 'vault') throw vaultError()
  // The item may have been trashed in the meantime.
  const marked = await changeTree(ctx, (tx) => setFavorite(tx, [item.id], isFavorite, clock.now()))
  if (marked === 0n) throw notFound(itemType)
}

async function isOfOthers(db: Database, user: SessionUser, kind: ItemRow['kind'], id: string): Promise<boolean> {
  const found = await db
    .selectFrom('items')
    .select('id')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('owner_id', '<>', user.id)
    .executeTakeFirst()
  return found !== undefined
}

function vaultError(): AppError {
  return new AppError('state_conflict', 'Vault items cannot be favorites.')
}

/** Sets or clears the marks of visible items in one statement. Returns the number of changed items. */
async function setFavorite(db: Database, ids: readonly string[], isFavorite: boolean, now: number): Promise<bigint> {
  const { numUpdatedRows } = await db
    .updateTable('items')
    .set((eb) => ({ favorite_at: isFavorite ? eb.fn.coalesce('favorite_at', eb.val(now)) : null }))
    .where(isAmong(db, 'id', ids))
    .where('trash_id', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows
}
