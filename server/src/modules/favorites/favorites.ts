import type { ParsedInputOf } from '@alcove/contract/call'
import { calls } from '@alcove/contract/calls'
import type { UserContext } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import { endpoint } from '../../platform/http/api.ts'
import {
  assertNoFailures,
  changeTree,
  getOwnFile,
  getOwnFolder,
  isInReach,
  listChosen,
  presentChanged,
  presentItem,
} from '../items/index.ts'
import { withDurations } from '../media/index.ts'

/** Lists the visible favorites. Trashed items keep their mark but aren't listed. */
export const listFavorites = endpoint(calls.listFavorites, async ({ db, user }) => {
  const rows = await db
    .selectFrom('items')
    .selectAll()
    .where('owner_id', '=', user.id)
    .where(isInReach(user))
    .where('favorite_at', 'is not', null)
    .where('trash_id', 'is', null)
    .orderBy('kind', 'desc')
    .orderBy('sort_key')
    .orderBy('id')
    .execute()
  const items = await withDurations(
    { db },
    rows.map((row) => presentItem(row, user)),
  )
  return items.map((item) => ({ item_type: item.type, item_id: item.id, item }))
})

export const addFavorite = endpoint(calls.addFavorite, async (ctx, input) => {
  await markItem(ctx, input, true)
  return { message: 'Added to favorites' }
})

export const removeFavorite = endpoint(calls.removeFavorite, async (ctx, input) => {
  await markItem(ctx, input, false)
  return { message: 'Removed from favorites' }
})

export const favoriteItems = endpoint(calls.favoriteItems, async (ctx, { isFavorite, ...selection }) => {
  const itemIds = await changeTree(ctx, async (tx) => {
    const items = await listChosen(tx, ctx.user, selection)
    const secret = items.filter(({ area }) => area === 'vault')
    assertNoFailures(secret.map(({ id, name }) => ({ itemId: id, name, refusal: vaultError() })))
    const ids = items.map(({ id }) => id)
    await setFavorite(tx, ids, isFavorite, ctx.clock.now())
    return ids
  })
  return presentChanged(itemIds, isFavorite ? 'added to favorites' : 'removed from favorites')
})

/** Sets or clears the favorite mark of a visible item in the drive. Setting it again keeps its time. */
async function markItem(
  ctx: UserContext,
  { itemType, itemId }: ParsedInputOf<typeof calls.addFavorite>,
  isFavorite: boolean,
): Promise<void> {
  const { db, user, clock } = ctx
  const item = await (itemType === 'file' ? getOwnFile : getOwnFolder)(db, user, itemId)
  if (item.area === 'vault') throw vaultError()
  // The item may have been trashed in the meantime.
  const marked = await changeTree(ctx, (tx) => setFavorite(tx, [item.id], isFavorite, clock.now()))
  if (marked === 0n) throw notFound(itemType)
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
