import type { Item } from '@alcove/contract/items'
import type { Selection } from '@alcove/contract/selection'
import { sql } from 'kysely'
import type { UserContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { isForeignKeyViolation } from '../../platform/db/database-errors.ts'
import { isAmong, textTable } from '../../platform/db/portable-sql.ts'
import { readPages } from '../../platform/db/read-pages.ts'
import { actForOwner } from '../../platform/http/members.ts'
import { assertNoFailures, listChosen, presentItem, readSharedPlaces, type SharedPlace } from '../items/index.ts'

/** A favorite with the key by which lists sort it. */
export interface SortedFavorite {
  item: Item
  sortKey: string
}

/** Folders first, then in natural order of names. */
export function inOrder(one: SortedFavorite, other: SortedFavorite): number {
  if (one.item.type !== other.item.type) return one.item.type === 'folder' ? -1 : 1
  if (one.sortKey !== other.sortKey) return one.sortKey < other.sortKey ? -1 : 1
  return one.item.id < other.item.id ? -1 : 1
}

/**
 * Lists the user's favorites among what others share, as sorted parts. Those that have left the shared folders, or are in the trash, are
 * left out. No index has their order, so all of them are in memory.
 */
export async function listSharedFavorites({ db, user }: UserContext): Promise<SortedFavorite[][]> {
  const pages = readPages<SharedRow>((last, limit) =>
    selectShared(db, user.id)
      .$if(last !== undefined, (rows) => rows.where('member_favorites.item_id', '>', (last as SharedRow).id))
      .orderBy('member_favorites.item_id')
      .limit(limit)
      .execute(),
  )
  const parts: SortedFavorite[][] = []
  for await (const rows of pages) {
    const places = await readSharedPlaces(db, user.id, rows)
    const favorites = rows.flatMap((row) => {
      const place = places.get(row.id)
      return place ? [{ item: presentShared(presentItem(row, user), place), sortKey: row.sort_key }] : []
    })
    parts.push(favorites.sort(inOrder))
  }
  return parts
}

type SharedRow = Awaited<ReturnType<ReturnType<typeof selectShared>['executeTakeFirstOrThrow']>>

function selectShared(db: Database, userId: string) {
  return db
    .selectFrom('member_favorites')
    .innerJoin('items', 'items.id', 'member_favorites.item_id')
    .selectAll('items')
    .where('member_favorites.user_id', '=', userId)
    .where('items.trash_id', 'is', null)
}

function presentShared(item: Item, { parentId, sharedBy }: SharedPlace): Item {
  const marks = { isFavorite: true, isShared: false, sharedBy }
  return item.type === 'file' ? { ...item, ...marks, folder_id: parentId } : { ...item, ...marks, parentId }
}

/** The ids of a selection: of the user's own items, and of others. */
export interface MixedIds {
  own: readonly string[]
  others: readonly string[]
}

/** Tells the user's own items of a selection from others. A selection of a whole folder is of one kind. */
export async function splitSelection({ db, user }: UserContext, selection: Selection): Promise<MixedIds | undefined> {
  if (!user.hasSharedFolders) return undefined
  if (selection.allIn) {
    const { folderId } = selection.allIn
    const owner = folderId ? await actForOwner(db, user, 'viewer', [folderId]) : undefined
    return owner && { own: [], others: (await listChosen(db, owner, selection)).map(({ id }) => id) }
  }
  const ids = [...new Set(selection.itemIds ?? [])]
  const rows = await db
    .selectFrom('items')
    .select('id')
    .where(isAmong(db, 'id', ids))
    .where('owner_id', '=', user.id)
    .execute()
  if (rows.length === ids.length) return undefined
  const own = new Set(rows.map(({ id }) => id))
  return { own: [...own], others: ids.filter((id) => !own.has(id)) }
}

/**
 * Marks or unmarks items of others for the user. Throws 'not found' unless all of them lie in folders that are shared with the user.
 * New marks hold on to the memberships until the transaction ends.
 */
export async function setSharedFavorite(
  tx: Tx,
  { user, clock }: UserContext,
  ids: readonly string[],
  isFavorite: boolean,
): Promise<void> {
  const places = await findPlaces(tx, user.id, ids)
  if (!isFavorite) {
    await tx
      .deleteFrom('member_favorites')
      .where('user_id', '=', user.id)
      .where(isAmong(tx, 'item_id', ids))
      .execute()
    return
  }
  const rows = ids.map((id) => ({ item_id: id, member_id: (places.get(id) as SharedPlace).memberId }))
  await sql`
    insert into member_favorites (user_id, item_id, member_id, created_at)
    select cast(${user.id} as text), given.item_id, given.member_id, cast(${clock.now()} as bigint)
    from ${textTable(tx, ['item_id', 'member_id'], rows)} as given where true
    on conflict (user_id, item_id) do update set member_id = excluded.member_id`
    .execute(tx)
    .catch((error: unknown) => {
      // The membership or the item has ended in the meantime.
      if (isForeignKeyViolation(error)) throw notFound('item')
      throw error
    })
}

async function findPlaces(db: Database, userId: string, ids: readonly string[]): Promise<Map<string, SharedPlace>> {
  const rows = await db
    .selectFrom('items')
    .select(['id', 'parent_id', 'kind', 'name'])
    .where(isAmong(db, 'id', ids))
    .where('trash_id', 'is', null)
    .execute()
  const places = await readSharedPlaces(db, userId, rows)
  const refusal = notFound('item')
  assertNoFailures(ids.filter((id) => !places.has(id)).map((itemId) => ({ itemId, refusal })))
  return places
}
