import type { listItems as call } from '@alcove/contract/item-calls'
import type { UserContext } from '../../../context.ts'
import { byIndex } from '../../../platform/db/by-index.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import type { Operation } from '../../../platform/http/api.ts'
import {
  columnsOf,
  getOwnPlace,
  type Place,
  type PresentedRow,
  presentItem,
  withItemCounts,
} from '../../items/index.ts'
import { withDurations } from '../../media/index.ts'
import { countChildren } from './count-children.ts'
import { readCursor, writeCursor } from './item-cursor.ts'
import { describeOrder, describeRest, type ItemOrder, type ListPosition, positionOf } from './item-order.ts'

export const listItems: Operation<typeof call> = async (ctx, input) => {
  const { folderId, vault, sort, order, limit, cursor, offset } = input
  const folder = await getOwnPlace(ctx.db, ctx.user, folderId, vault ? 'vault' : 'drive')
  const itemOrder = { sort, order }
  const position = cursor === undefined ? undefined : readCursor(ctx, folder.id, itemOrder, cursor)
  const [rows, total] = await Promise.all([
    // One more than is shown tells whether there is another page.
    listPage(ctx, { folder, order: itemOrder, position, offset, limit: limit + 1 }),
    countChildren(ctx.db, ctx.user.id, folder.id),
  ])
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    items: await withItemCounts(
      ctx,
      await withDurations(
        ctx,
        shown.map((row) => presentItem(row, ctx.user)),
      ),
    ),
    nextCursor: last ? writeCursor(ctx, folder.id, itemOrder, positionOf(last, itemOrder)) : null,
    total,
  }
}

interface WantedPage {
  folder: Place
  order: ItemOrder
  position: ListPosition | undefined
  /** How many to pass over, behind the position. */
  offset: number
  limit: number
}

/** The folders first, whichever way the rest is sorted: each kind is a query of its own, in the order of an index. */
async function listPage(ctx: UserContext, page: WantedPage): Promise<PresentedRow[]> {
  const { position, offset, limit } = page
  if (position?.kind === 'file') return listKind(ctx, 'file', page)
  const folders = await listKind(ctx, 'folder', page)
  if (folders.length === limit) return folders
  const passed = folders.length > 0 || offset === 0 ? offset : await countFolders(ctx, page)
  const files = { ...page, position: undefined, offset: offset - passed, limit: limit - folders.length }
  return [...folders, ...(await listKind(ctx, 'file', files))]
}

function listKind(ctx: UserContext, kind: ItemRow['kind'], page: WantedPage): Promise<PresentedRow[]> {
  const { folder, order, limit, offset } = page
  const columns = columnsOf(folder.area)
  const items = itemsOf(ctx, kind, page).orderBy(describeOrder(order))
  if (offset === 0) return items.select(columns).limit(limit).execute()
  // Along the index alone as far as possible: no row that is passed over is read.
  const ids = items.select('id').limit(limit).offset(offset)
  return byIndex(ctx.db, (db) =>
    db.selectFrom('items').select(columns).where('id', 'in', ids).orderBy(describeOrder(order)).execute(),
  )
}

async function countFolders(ctx: UserContext, page: WantedPage): Promise<number> {
  const folders = itemsOf(ctx, 'folder', page).select((eb) => eb.fn.countAll<number>().as('count'))
  return Number((await folders.executeTakeFirstOrThrow()).count)
}

function itemsOf({ db }: UserContext, kind: ItemRow['kind'], { folder, order, position }: WantedPage) {
  const items = db
    .selectFrom('items')
    .where('parent_id', '=', folder.id)
    .where('kind', '=', kind)
    .where('trashed_at', 'is', null)
  return position ? items.where(describeRest(order, position)) : items
}
