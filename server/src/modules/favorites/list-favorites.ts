import type { listFavorites as call } from '@alcove/contract/favorites'
import type { Operation } from '../../platform/http/api.ts'
import { presentItem } from '../items/index.ts'
import { withDurations } from '../media/index.ts'

/** A mark outlives a stay in the trash, but is not shown meanwhile. */
export const listFavorites: Operation<typeof call> = async ({ db, user }) => {
  const rows = await db
    .selectFrom('items')
    .selectAll()
    .where('owner_id', '=', user.id)
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
}
