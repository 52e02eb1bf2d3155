import { calls } from '@alcove/contract/calls'
import { sql } from 'kysely'
import { AppError } from '../../errors.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import { endpoint } from '../../platform/http/api.ts'
import { presentFile, presentFolder, readFolderPaths } from '../items/index.ts'
import { presentLink } from './link-rows.ts'

/** When a link appeared in the list. A first link that is disabled isn't in it: every item whose dialog was opened has one. */
const LISTED_AT = sql<number>`coalesce(public_links.enabled_at, public_links.created_at)`

export const listPublicLinks = endpoint(calls.listPublicLinks, async (ctx, { limit, cursor }) => {
  const { db, user } = ctx
  const listed = db
    .selectFrom('public_links')
    .innerJoin('items', 'items.id', 'public_links.item_id')
    .where('public_links.owner_id', '=', user.id)
    .where('items.trash_id', 'is', null)
    .where((eb) => eb.or([eb('public_links.enabled_at', 'is not', null), eb('is_first', '=', 0)]))
  const after = cursor === undefined ? undefined : readCursor(cursor)
  let page = listed
    .selectAll('public_links')
    .select(LISTED_AT.as('listed_at'))
    .orderBy(LISTED_AT, 'desc')
    .orderBy('public_links.id', 'desc')
    .limit(limit + 1)
  if (after) page = page.where(sql<boolean>`(${LISTED_AT}, public_links.id) < (${after.listedAt}, ${after.id})`)
  const [rows, { total }] = await Promise.all([
    page.execute(),
    listed.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow(),
  ])
  const shown = rows.slice(0, limit)
  const items = new Map((await findItems(shown.map(({ item_id }) => item_id))).map((item) => [item.id, item]))
  const paths = await readFolderPaths(db, [...new Set([...items.values()].map((item) => item.parent_id as string))])
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    links: shown.flatMap((row) => {
      const item = items.get(row.item_id)
      // It was deleted meanwhile.
      if (!item) return []
      return {
        ...presentLink(ctx, row),
        item: item.kind === 'file' ? presentFile(item, user) : presentFolder(item, user),
        path: `${paths.get(item.parent_id as string) ?? ''}/${item.name}`,
        isEncrypted: item.area === 'vault',
        sharedAt: new Date(Number(row.listed_at)).toISOString(),
      }
    }),
    nextCursor: last ? `${last.listed_at}.${last.id}` : null,
    total: Number(total),
  }

  async function findItems(ids: readonly string[]) {
    return db
      .selectFrom('items')
      .selectAll()
      .where(isAmong(db, 'id', [...new Set(ids)]))
      .execute()
  }
})

function readCursor(cursor: string): { listedAt: number; id: string } {
  const [, listedAt, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? []
  if (listedAt === undefined || id === undefined)
    throw new AppError('malformed', 'Invalid cursor. Start again without one.')
  return { listedAt: Number(listedAt), id }
}
