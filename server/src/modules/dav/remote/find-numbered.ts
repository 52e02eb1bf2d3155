import type { SessionUser } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { isInReach } from '../../items/index.ts'
import { DavError } from '../dav-error.ts'

/** Returns the user's item with a number, in the drive or its trash. Throws 404. */
export async function getNumbered(db: Database, user: SessionUser, text: string | undefined): Promise<ItemRow> {
  const number = /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined
  const item =
    number === undefined
      ? undefined
      : await db
          .selectFrom('file_numbers')
          .innerJoin('items', 'items.id', 'file_numbers.item_id')
          .selectAll('items')
          .where('file_numbers.number', '=', number)
          .where('items.owner_id', '=', user.id)
          .where('items.area', '=', 'drive')
          .where(isInReach(user))
          .executeTakeFirst()
  if (!item) throw new DavError(404, 'There is no such file.')
  return item
}
