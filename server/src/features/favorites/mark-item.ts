import type { ParsedInputOf } from '@alcove/contract/call'
import type { addFavorite } from '@alcove/contract/favorites'
import type { UserContext } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import { getOwnFile, getOwnFolder } from '../../tree/own-item.ts'

/** Sets or clears the mark of an item of the drive that can be seen. One that is set keeps its time. */
export async function markItem(
  { db, user, clock }: UserContext,
  { itemType, itemId }: ParsedInputOf<typeof addFavorite>,
  isFavorite: boolean,
): Promise<void> {
  const item = await (itemType === 'file' ? getOwnFile : getOwnFolder)(db, user, itemId)
  if (item.area === 'vault') throw new AppError('state_conflict', 'Items of the vault cannot be favorites.')
  // Between the look and the write the item may have gone to the trash.
  const { numUpdatedRows } = await db
    .updateTable('items')
    .set((eb) => ({ favorite_at: isFavorite ? eb.fn.coalesce('favorite_at', eb.val(clock.now())) : null }))
    .where('id', '=', item.id)
    .where('trash_id', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw notFound(itemType)
}
