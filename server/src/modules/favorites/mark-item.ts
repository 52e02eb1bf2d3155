import type { ParsedInputOf } from '@alcove/contract/call'
import type { addFavorite } from '@alcove/contract/favorites'
import type { UserContext } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/text-list.ts'
import { changeTree, getOwnFile, getOwnFolder } from '../items/index.ts'

/** Sets or clears the mark of an item of the drive that can be seen. One that is set keeps its time. */
export async function markItem(
  { db, user, clock }: UserContext,
  { itemType, itemId }: ParsedInputOf<typeof addFavorite>,
  isFavorite: boolean,
): Promise<void> {
  const item = await (itemType === 'file' ? getOwnFile : getOwnFolder)(db, user, itemId)
  if (item.area === 'vault') throw vaultError()
  // Between the look and the write the item may have gone to the trash.
  const marked = await changeTree({ db, user }, (tx) => setFavorite(tx, [item.id], isFavorite, clock.now()))
  if (marked === 0n) throw notFound(itemType)
}

export function vaultError(): AppError {
  return new AppError('state_conflict', 'Items of the vault cannot be favorites.')
}

/** Sets or clears the marks of items that can be seen, in one statement; answers how many these were. */
export async function setFavorite(
  db: Database,
  ids: readonly string[],
  isFavorite: boolean,
  now: number,
): Promise<bigint> {
  const { numUpdatedRows } = await db
    .updateTable('items')
    .set((eb) => ({ favorite_at: isFavorite ? eb.fn.coalesce('favorite_at', eb.val(now)) : null }))
    .where(isAmong(db, 'id', ids))
    .where('trash_id', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows
}
