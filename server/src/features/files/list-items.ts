import type { listItems as call } from '@alcove/contract/item-calls'
import type { UserContext } from '../../context.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import type { Operation } from '../../platform/http/api.ts'
import { getOwnPlace, type Place } from '../../tree/own-item.ts'
import { columnsOf, type PresentedRow, presentItem } from '../../tree/present-item.ts'
import { countChildren } from './count-children.ts'
import { readCursor, writeCursor } from './item-cursor.ts'
import { describeOrder, describeRest, type ItemOrder, type ListPosition, positionOf } from './item-order.ts'

export const listItems: Operation<typeof call> = async (ctx, { folderId, vault, sort, order, limit, cursor }) => {
  const folder = await getOwnPlace(ctx.db, ctx.user, folderId, vault ? 'vault' : 'drive')
  const itemOrder = { sort, order }
  const position = cursor === undefined ? undefined : readCursor(ctx, folder.id, itemOrder, cursor)
  const [rows, total] = await Promise.all([
    // One more than is shown tells whether there is another page.
    listPage(ctx, folder, itemOrder, position, limit + 1),
    countChildren(ctx.db, ctx.user.id, folder.id),
  ])
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    items: shown.map((row) => presentItem(row, ctx.user)),
    nextCursor: last ? writeCursor(ctx, folder.id, itemOrder, positionOf(last, itemOrder)) : null,
    total,
  }
}

/** The folders first, whichever way the rest is sorted: each kind is a query of its own, in the order of an index. */
async function listPage(
  ctx: UserContext,
  folder: Place,
  order: ItemOrder,
  position: ListPosition | undefined,
  limit: number,
): Promise<PresentedRow[]> {
  if (position?.kind === 'file') return listKind(ctx, folder, 'file', order, position, limit)
  const folders = await listKind(ctx, folder, 'folder', order, position, limit)
  if (folders.length === limit) return folders
  return [...folders, ...(await listKind(ctx, folder, 'file', order, undefined, limit - folders.length))]
}

function listKind(
  { db }: UserContext,
  folder: Place,
  kind: ItemRow['kind'],
  order: ItemOrder,
  position: ListPosition | undefined,
  limit: number,
): Promise<PresentedRow[]> {
  const page = db
    .selectFrom('items')
    .select(columnsOf(folder.area))
    .where('parent_id', '=', folder.id)
    .where('kind', '=', kind)
    .where('trashed_at', 'is', null)
    .orderBy(describeOrder(order))
    .limit(limit)
  return (position ? page.where(describeRest(order, position)) : page).execute()
}
