import type { Context } from '../../../context.ts'
import { isAmong } from '../../../platform/db/text-list.ts'
import type { StreamResponse } from '../../../platform/http/bytes-response.ts'
import { readChildren, type ZippedRow, zipItems, zippedColumns } from '../../items/index.ts'

/** So many of the items are read at once. */
const PAGE = 1000

/** What a user has chosen to download, until its time is over. */
export function findSelection(ctx: Context, id: string, ownerId: string) {
  return ctx.db
    .selectFrom('download_selections')
    .innerJoin('users', 'users.id', 'download_selections.owner_id')
    .select(['name', 'item_ids', 'owner_id', 'grants_revoked_at'])
    .where('download_selections.id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('expires_at', '>', ctx.clock.now())
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()
}

type Selection = Pick<NonNullable<Awaited<ReturnType<typeof findSelection>>>, 'name' | 'item_ids' | 'owner_id'>

/** As far as it is still there and visible, as one ZIP. */
export function zipSelection(ctx: Context, { name, item_ids, owner_id }: Selection): StreamResponse {
  const kept: KeptSelection = JSON.parse(item_ids)
  if (Array.isArray(kept)) return zipItems(ctx, name, () => listNamed(ctx, owner_id, kept))
  return zipItems(ctx, name, () => listFolder(ctx, owner_id, kept), { areSiblings: true })
}

/** Items by their ids, or whatever is in a folder but for some. */
export type KeptSelection = string[] | { folderId: string; exceptIds: string[] }

/** Page by page: what is in a folder may be a hundred thousand files. */
async function* listFolder(
  { db }: Context,
  ownerId: string,
  { folderId, exceptIds }: Exclude<KeptSelection, string[]>,
): AsyncGenerator<ZippedRow[]> {
  const folder = await db
    .selectFrom('items')
    .select('id')
    .where('id', '=', folderId)
    .where('owner_id', '=', ownerId)
    .where('trash_id', 'is', null)
    .executeTakeFirst()
  if (!folder) return
  const excepted = new Set(exceptIds)
  for await (const rows of readChildren(db, folder.id)) yield rows.filter(({ id }) => !excepted.has(id))
}

async function* listNamed({ db }: Context, ownerId: string, ids: string[]): AsyncGenerator<ZippedRow[]> {
  for (let start = 0; start < ids.length; start += PAGE) {
    const some = ids.slice(start, start + PAGE)
    const rows = await db
      .selectFrom('items')
      .select(zippedColumns)
      .where(isAmong(db, 'id', some))
      .where('owner_id', '=', ownerId)
      .where('trash_id', 'is', null)
      .execute()
    const found = new Map(rows.map((row) => [row.id, row]))
    yield some.flatMap((id) => found.get(id) ?? [])
  }
}
