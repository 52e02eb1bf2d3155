import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import { collectNames } from './find-names.ts'
import type { FoundItem, RankedItems, SearchedFolders } from './ranked-items.ts'

/** Names that are read in the folders before the indexes of their owners are used. */
const FEW_NAMES = 4096
/** Candidates of an owner's index that are read in vain before the folders are read to the end. */
const MAX_CANDIDATES = 8192

/**
 * Adds the visible items at and below folders whose names contain a folded text. The work is bounded by what lies in the folders, not
 * by what else their owners have: small folders are simply read, however many owners they have. For large ones the index of each
 * owner finds candidates everywhere, which are checked. If too many of them lie elsewhere, the folders are read to the end.
 */
export async function collectNamesBelow(
  db: Database,
  { folders, isInReach }: SearchedFolders,
  text: string,
  found: RankedItems,
): Promise<void> {
  const names = listBelow(
    db,
    folders.map(({ id }) => id),
  )
  if (await addNames(names, found, FEW_NAMES)) return
  let isComplete = true
  for (const ownerId of new Set(folders.map((folder) => folder.ownerId))) {
    isComplete = (await collectNames(db, { ownerId, isInReach }, text, found, MAX_CANDIDATES)) && isComplete
  }
  if (!isComplete) await addNames(names, found, Number.POSITIVE_INFINITY)
}

/** Adds matches until so many names have been read. Returns whether these were all. */
async function addNames(names: AsyncGenerator<FoundItem[]>, found: RankedItems, limit: number): Promise<boolean> {
  let read = 0
  for (;;) {
    const next = await names.next()
    if (next.done) return true
    for (const item of next.value) found.add(item)
    read += next.value.length
    if (read >= limit) return false
    await setImmediate()
  }
}

const FOLDERS_AT_ONCE = 200
const PAGE = 1024

/** Yields the visible items among these and everything below them, each level after the one above it. */
async function* listBelow(db: Database, ids: readonly string[]): AsyncGenerator<FoundItem[]> {
  const seen = new Set<string>()
  const waiting: string[] = []
  const take = (items: FoundItem[]) => {
    for (const { id, kind } of items) {
      // Folders inside each other may both be given.
      if (kind !== 'folder' || seen.has(id)) continue
      seen.add(id)
      waiting.push(id)
    }
    return items
  }
  yield take(
    await selectItems(db)
      .where(isAmong(db, 'id', ids))
      .execute(),
  )
  for (let at = 0; at < waiting.length; ) {
    const some = waiting.slice(at, at + FOLDERS_AT_ONCE)
    at += some.length
    for await (const items of listInside(db, some)) yield take(items)
  }
}

/** Yields the visible items directly in folders, in pages. Halves the folders until the items of each half fit into a page. */
async function* listInside(db: Database, folderIds: readonly string[]): AsyncGenerator<FoundItem[]> {
  const items = await selectItems(db)
    .where(isAmong(db, 'parent_id', folderIds))
    .limit(PAGE + 1)
    .execute()
  if (items.length <= PAGE) yield items
  else if (folderIds.length === 1) yield* listPages(db, folderIds[0] as string)
  else {
    const half = folderIds.length >> 1
    yield* listInside(db, folderIds.slice(0, half))
    yield* listInside(db, folderIds.slice(half))
  }
}

/** Yields the visible items directly in a large folder, in the order of an index. */
async function* listPages(db: Database, folderId: string): AsyncGenerator<FoundItem[]> {
  for (const kind of ['folder', 'file'] as const) {
    for (let last: FoundItem | undefined, isMore = true; isMore; ) {
      const { sort_key, id } = last ?? { sort_key: '', id: '' }
      const items: FoundItem[] = await selectItems(db)
        .where('parent_id', '=', folderId)
        .where('kind', '=', kind)
        .where(({ eb, refTuple, tuple }) => eb(refTuple('sort_key', 'id'), '>', tuple(sort_key, id)))
        .orderBy('sort_key')
        .orderBy('id')
        .limit(PAGE)
        .execute()
      yield items
      last = items.at(-1)
      isMore = items.length === PAGE
    }
  }
}

function selectItems(db: Database) {
  return db
    .selectFrom('items')
    .select(['id', 'owner_id', 'parent_id', 'kind', 'name', 'sort_key'])
    .where('trash_id', 'is', null)
}
