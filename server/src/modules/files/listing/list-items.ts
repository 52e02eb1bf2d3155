import type { ParsedInputOf } from '@alcove/contract/call'
import { calls } from '@alcove/contract/calls'
import { type RawBuilder, sql } from 'kysely'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { isSignatureOf, signParts } from '../../../platform/crypto/secrets.ts'
import type { Database } from '../../../platform/db/database.ts'
import { prepareQuery, type Value } from '../../../platform/db/prepared-query.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { endpoint } from '../../../platform/http/api.ts'
import {
  type ChildRow,
  columnsOfChildren,
  countUnshown,
  getOwnPlace,
  isShown,
  nameColumns,
  type Place,
  type PresentedRow,
  presentItem,
  sortKey,
  withDamage,
  withFolder,
  withItemCounts,
  withMarks,
  withMounts,
} from '../../items/index.ts'
import { withDurations } from '../../media/index.ts'

export const listItems = endpoint(calls.listItems, async (ctx, input) => {
  const { folderId, vault, sort, order, limit, cursor, offset } = input
  const folder = await getOwnPlace(ctx.db, ctx.user, folderId, vault ? 'vault' : 'drive')
  const itemOrder = { sort, order }
  const position = cursor === undefined ? undefined : readCursor(ctx, folder.id, itemOrder, cursor)
  const [rows, total, unshown] = await Promise.all([
    // Reads one more item, to know whether there is another page.
    listPage(ctx, { folder, order: itemOrder, position, offset, limit: limit + 1 }),
    countChildren(ctx.db, ctx.user.id, folder.id),
    countUnshown(ctx.db, ctx.user, folder.id),
  ])
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    items: await withMounts(
      ctx,
      await withItemCounts(
        ctx,
        await withDurations(
          ctx,
          await withDamage(
            ctx.db,
            await withMarks(
              ctx.db,
              ctx.user,
              shown.map((row) => presentItem(row, ctx.user)),
            ),
          ),
        ),
      ),
    ),
    nextCursor: last ? writeCursor(ctx, folder.id, itemOrder, positionOf(last, itemOrder)) : null,
    total: total - unshown,
  }
})

interface WantedPage {
  folder: Place
  order: ItemOrder
  position: ListPosition | undefined
  /** Items to skip after the position. */
  offset: number
  limit: number
}

/** Reads folders first in every sort order. Each kind is a query of its own, in the order of an index. */
async function listPage(ctx: UserContext, page: WantedPage): Promise<PresentedRow[]> {
  const { position, offset, limit } = page
  if (position?.kind === 'file') return listKind(ctx, 'file', page)
  const folders = await listKind(ctx, 'folder', page)
  if (folders.length === limit) return folders
  const passed = folders.length > 0 || offset === 0 ? offset : await countFolders(ctx, page)
  const files = { ...page, position: undefined, offset: offset - passed, limit: limit - folders.length }
  return [...folders, ...(await listKind(ctx, 'file', files))]
}

async function listKind(ctx: UserContext, kind: ItemRow['kind'], page: WantedPage): Promise<PresentedRow[]> {
  return withFolder(await selectKind(ctx, kind, page), page.folder, kind)
}

function selectKind(ctx: UserContext, kind: ItemRow['kind'], page: WantedPage): Promise<ChildRow[]> {
  const { folder, order, limit, offset } = page
  const columns = columnsOfChildren(folder.area)
  const items = itemsOf(ctx, kind, page).orderBy(describeOrder(kind, order))
  if (offset === 0) return items.select(columns).limit(limit).execute()
  // Uses only the index as far as possible, so that skipped rows aren't read.
  const ids = items.select('id').limit(limit).offset(offset)
  const children = ctx.db.selectFrom('items').select(columns).where('id', 'in', ids)
  return children.orderBy(describeOrder(kind, order)).execute()
}

async function countFolders(ctx: UserContext, page: WantedPage): Promise<number> {
  const folders = itemsOf(ctx, 'folder', page).select((eb) => eb.fn.countAll<number>().as('count'))
  return Number((await folders.executeTakeFirstOrThrow()).count)
}

function itemsOf({ db, user }: UserContext, kind: ItemRow['kind'], { folder, order, position }: WantedPage) {
  const items = db
    .selectFrom('items')
    .where('parent_id', '=', folder.id)
    .where('kind', '=', kind)
    .where('trashed_at', 'is', null)
    .$if(kind === 'folder', (folders) => folders.where(isShown(user)))
  return position ? items.where(describeRest(order, position)) : items
}

type ItemOrder = Pick<ParsedInputOf<typeof calls.listItems>, 'sort' | 'order'>

/** A position in a list: just after the item with these keys, even if that no longer exists. */
interface ListPosition {
  kind: ItemRow['kind']
  /** The sort key, or nothing if that is the name. */
  value: string | number | null
  sortKey: string
  id: string
}

function positionOf(row: PresentedRow, { sort }: ItemOrder): ListPosition {
  return { kind: row.kind, value: sortedValueOf(row, sort), sortKey: sortKey(row.name), id: row.id }
}

function sortedValueOf(row: PresentedRow, sort: ItemOrder['sort']): ListPosition['value'] {
  if (sort === 'name') return null
  if (sort === 'size') return row.size
  if (sort === 'updatedAt') return row.updated_at
  if (sort === 'modifiedAt') return row.modified_at ?? row.updated_at
  return nameColumns(row.name).extension
}

const columns = { size: sql`size`, updatedAt: sql`updated_at`, type: sql`extension` }

/** Returns the column by which items of a kind are sorted. Folders have no modification date of their own. */
function columnOf(kind: ItemRow['kind'], sort: Exclude<ItemOrder['sort'], 'name'>): RawBuilder<unknown> {
  if (sort !== 'modifiedAt') return columns[sort]
  return kind === 'file' ? sql`modified_at` : columns.updatedAt
}

const directions = { asc: sql`asc`, desc: sql`desc` }
const after = { asc: sql`>`, desc: sql`<` }

/**
 * Describes the order of items of one kind in a folder. By name it follows the index. In any other order, equal items
 * are sorted by name, ascending in both directions.
 */
function describeOrder(kind: ItemRow['kind'], { sort, order }: ItemOrder): RawBuilder<unknown> {
  const direction = directions[order]
  if (sort === 'name') return sql`sort_key ${direction}, id ${direction}`
  return sql`${columnOf(kind, sort)} ${direction}, sort_key, id`
}

/** Selects the items after a position in that order. */
function describeRest({ sort, order }: ItemOrder, position: ListPosition): RawBuilder<boolean> {
  const name = sql`(${position.sortKey}, ${position.id})`
  if (sort === 'name') return sql`(sort_key, id) ${after[order]} ${name}`
  const column = columnOf(position.kind, sort)
  return sql`(${column} ${after[order]} ${position.value} or (${column} = ${position.value} and (sort_key, id) > ${name}))`
}

/**
 * Encodes a position as a cursor. The signature binds it to user, folder and order, and rejects cursors that this
 * server hasn't issued.
 */
function writeCursor(ctx: UserContext, folderId: string, order: ItemOrder, position: ListPosition): string {
  const { kind, value, sortKey, id } = position
  const text = Buffer.from(JSON.stringify([kind, value, sortKey, id])).toString('base64url')
  return `${text}.${signParts(ctx.secrets.urlKey, partsOf(ctx, folderId, order, text))}`
}

/** Decodes a cursor. Throws if it was issued for another list. */
function readCursor(ctx: UserContext, folderId: string, order: ItemOrder, cursor: string): ListPosition {
  const [text = '', signature = ''] = cursor.split('.', 2)
  if (!isSignatureOf(ctx.secrets.urlKey, partsOf(ctx, folderId, order, text), signature)) {
    throw new AppError('malformed', 'Invalid cursor for this list. Start again at the first page.')
  }
  const [kind, value, sortKey, id] = JSON.parse(Buffer.from(text, 'base64url').toString())
  return { kind, value, sortKey, id }
}

function partsOf(ctx: UserContext, folderId: string, { sort, order }: ItemOrder, text: string): string[] {
  return ['cursor', ctx.user.id, folderId, sort, order, text]
}

interface Counted {
  /** A folder can get another owner, whose version may be the same by chance. */
  ownerId: string
  treeVersion: number
  total: number
}

const MAX_KEPT = 1000
/** Recent counts by database and folder. */
const kept = new WeakMap<Database, Map<string, Counted>>()

/**
 * Returns the number of children of a visible folder. Counting a hundred thousand takes longer than reading a page, so
 * counts are cached until the user's tree changes: its version is read before counting, so a count is never used for a
 * later version.
 */
async function countChildren(db: Database, ownerId: string, folderId: string): Promise<number> {
  const counts = kept.get(db) ?? new Map<string, Counted>()
  kept.set(db, counts)
  const treeVersion = (await readTreeVersion(db, { ownerId })).rows[0]?.tree_version ?? 0
  const known = counts.get(folderId)
  if (known?.treeVersion === treeVersion && known.ownerId === ownerId) return known.total
  const total = Number((await countVisible(db, { folderId })).rows[0]?.total)
  counts.delete(folderId)
  counts.set(folderId, { ownerId, treeVersion, total })
  const [oldest] = counts.keys()
  if (counts.size > MAX_KEPT && oldest !== undefined) counts.delete(oldest)
  return total
}

const readTreeVersion = prepareQuery((db, value: Value<{ ownerId: string }>) =>
  db.selectFrom('users').select('tree_version').where('id', '=', value('ownerId')),
)

/** Counts the visible items of a folder from the name index, without reading rows. */
const countVisible = prepareQuery((db, value: Value<{ folderId: string }>) =>
  db
    .selectFrom('items')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('parent_id', '=', value('folderId'))
    .where('trashed_at', 'is', null),
)
