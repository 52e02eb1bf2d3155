import { calls } from '@alcove/contract/calls'
import type { UserContext } from '../../context.ts'
import { mergePages } from '../../platform/db/merge-pages.ts'
import { mapPages, pagesOf, readPages } from '../../platform/db/read-pages.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { endpoint } from '../../platform/http/api.ts'
import { PagedResult } from '../../platform/http/paged-result.ts'
import { columnsOf, isAfter, isInReach, isShown, presentItem, withMounts } from '../items/index.ts'
import { withDurations } from '../media/index.ts'
import { inOrder, listSharedFavorites, type SortedFavorite } from './shared-favorites.ts'

/** Lists the visible favorites. Trashed items keep their mark but aren't listed. */
export const listFavorites = endpoint(calls.listFavorites, async (ctx) => {
  const shared = ctx.user.hasSharedFolders ? await listSharedFavorites(ctx) : []
  const lists = [listOwn(ctx, 'folder'), listOwn(ctx, 'file'), ...shared.map(pagesOf)]
  const pages = mapPages(mergePages(lists, inOrder), async (page) => {
    const items = await withDurations(
      ctx,
      page.map(({ item }) => item),
    )
    const shown = await withMounts(ctx, items)
    return shown.map((item) => ({ item_type: item.type, item_id: item.id, item }))
  })
  return new PagedResult(pages)
})

function listOwn(ctx: UserContext, kind: ItemRow['kind']): AsyncGenerator<SortedFavorite[]> {
  const rows = readPages<FavoriteRow>((last, limit) =>
    selectOwn(ctx, kind)
      .$if(last !== undefined, (items) => items.where(isAfter(last as FavoriteRow)))
      .orderBy('sort_key')
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  return mapPages(rows, (page) => page.map((row) => ({ item: presentItem(row, ctx.user), sortKey: row.sort_key })))
}

type FavoriteRow = Awaited<ReturnType<ReturnType<typeof selectOwn>['executeTakeFirstOrThrow']>>

function selectOwn({ db, user }: UserContext, kind: ItemRow['kind']) {
  return db
    .selectFrom('items')
    .select(columnsOf('drive'))
    .select('sort_key')
    .where('owner_id', '=', user.id)
    .where('kind', '=', kind)
    .where(isInReach(user))
    .where(isShown(user))
    .where('favorite_at', 'is not', null)
    .where('trash_id', 'is', null)
}
