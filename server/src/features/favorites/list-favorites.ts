import type { listFavorites as call } from '@alcove/contract/favorites'
import type { Operation } from '../../platform/http/api.ts'
import { presentFile, presentFolder } from '../../tree/present-item.ts'

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
  return rows.map((row) => ({
    item_type: row.kind,
    item_id: row.id,
    item: row.kind === 'file' ? presentFile(row, user) : presentFolder(row, user),
  }))
}
