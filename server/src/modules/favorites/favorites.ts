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
  isInReach,
  isShown,
  listChosen,
  lockTree,
  presentChanged,
  presentItem,
  transactAndAnnounce,
  withMounts,
} from '../items/index.ts'
import { withDurations } from '../media/index.ts'
import {
  listSharedFavorites,
  type MixedIds,
  type SortedFavorite,
  setSharedFavorite,
  splitSelection,
} from './shared-favorites.ts'

/** Lists the visible favorites. Trashed items keep their mark but aren't listed. */
export const listFavorites = endpoint(calls.listFavorites, async (ctx) => {
  const own = await listOwnFavorites(ctx)
  const shared = ctx.user.hasSharedFolders ? await listSharedFavorites(ctx) : []
  const all = shared.length === 0 ? own : [...own, ...shared].sort(inOrder)
  const items = await withDurations(
    ctx,
    all.map(({ item }) => item),
  )
  const shown = await withMounts(ctx, items)
  return shown.map((item) => ({ item_type: item.type, item_id: item.id, item }))
})

async function listOwnFavorites({ db, user }: UserContext): Promise<SortedFavorite[]> {
  const rows = await db
    .selectFrom('items')
    .selectAll()
    .where('owner_id', '=', user.id)
    .where(isInReach(user))
    .where(isShown(user))
    .where('favorite_at', 'is not', null)
    .where('trash_id', 'is', null)
    .orderBy('kind', 'desc')
    .orderBy('sort_key')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ item: presentItem(row, user), sortKey: row.sort_key }))
}

/** Folders first, then in natural order of names. */
function inOrder(one: SortedFavorite, other: SortedFavorite): number {
  if (one.item.type !== other.item.type) return one.item.type === 'folder' ? -1 : 1
  if (one.sortKey !== other.sortKey) return one.sortKey < other.sortKey ? -1 : 1
  return one.item.id < other.item.id ? -1 : 1
}

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
