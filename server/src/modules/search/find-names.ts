import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { isAmong, isPostgres, mayHaveFolded } from '../../platform/db/portable-sql.ts'
import { executePlanned } from '../../platform/db/prepared-query.ts'
import { collectIndexed, matchSegments } from './collect-indexed.ts'
import { type FoundItem, RANKS, type Rank, RankedItems, rankOf, type SearchedDrive } from './ranked-items.ts'

/**
 * Finds a user's visible items in the drive whose names contain a folded text: first names equal to the text, then
 * names that begin with it, then others, each in order of names. If more than `limit` match equally well, the most
 * recently named ones are preferred.
 */
export async function findNames(db: Database, drive: SearchedDrive, text: string, limit: number): Promise<FoundItem[]> {
  const found = new RankedItems(text, limit)
  await collectNames(db, drive, text, found)
  return found.list()
}

/**
 * Adds a user's visible items in the drive whose names contain a folded text. Returns false if it has read as many candidates as it
 * may before it was through.
 */
export async function collectNames(
  db: Database,
  drive: SearchedDrive,
  text: string,
  found: RankedItems,
  maxCandidates = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const { pending, indexed } = isPostgres(db)
    ? await db.connection().execute((connection) => match(connection, drive.ownerId, text))
    : await match(db, drive.ownerId, text)
  const read = await collectPending(db, drive, pending, found, maxCandidates)
  return collectIndexed(db, drive, text, indexed, found, maxCandidates - read)
}

/**
 * Finds possible matches among the names that are not indexed yet, and in the index. In this order, a name that is indexed in the
 * meantime is found twice rather than not at all.
 */
async function match(db: Database, ownerId: string, text: string) {
  // Begun in this order and on one connection, they reach the database in this order, and PostgreSQL answers both in one round trip.
  const [page, first] = await Promise.all([
    executePlanned(db, selectPending(db, ownerId, text, LAST)),
    matchSegments(db, ownerId, text),
  ])
  const pending: Matches = { 0: [], 1: [], 2: [] }
  let last = addMatches(page, text, pending)
  if (last === null) return { pending, indexed: first }
  while (last !== null) {
    await setImmediate()
    last = addMatches(await executePlanned(db, selectPending(db, ownerId, text, last)), text, pending)
  }
  return { pending, indexed: await matchSegments(db, ownerId, text) }
}

const PAGE = 2048
const ITEMS_AT_ONCE = 200
/** Sorts after every id. */
const LAST = '~'

/** Adds matches among the names that are not indexed yet, newest first. Returns how many candidates it has read. */
async function collectPending(
  db: Database,
  { ownerId, isInReach }: SearchedDrive,
  idsByRank: Matches,
  found: RankedItems,
  maxCandidates: number,
): Promise<number> {
  let read = 0
  for (const rank of RANKS) {
    const ids = idsByRank[rank]
    for (let at = 0; at < ids.length && read < maxCandidates && !found.hasEnough(rank); at += ITEMS_AT_ONCE) {
      read += Math.min(ITEMS_AT_ONCE, ids.length - at)
      const items = await executePlanned(
        db,
        db
          .selectFrom('items')
          .select(['id', 'owner_id', 'parent_id', 'kind', 'name', 'sort_key'])
          .where(isAmong(db, 'id', ids.slice(at, at + ITEMS_AT_ONCE)))
          .where('owner_id', '=', ownerId)
          .where(isInReach)
          .where('trash_id', 'is', null),
      )
      for (const item of items) found.add(item)
    }
  }
  return read
}

/** The ids of items whose pending names match, newest first. */
type Matches = Record<Rank, string[]>

/** Adds the matches of a page of pending names. Returns its last id if there may be more. */
function addMatches(page: readonly PendingName[], text: string, matches: Matches): string | null {
  let last: string | null = null
  for (const { item_id, name, size } of page) {
    if (name === null) {
      if (size === PAGE) last = item_id
      continue
    }
    const rank = rankOf(name, text)
    if (rank !== undefined && item_id !== null) matches[rank].push(item_id)
  }
  return last
}

/** A pending name, or, without one, a whole page: how many names it has, and its last id. */
interface PendingName {
  item_id: string | null
  name: string | null
  size: number | null
}

/** Selects a page of pending names, and those of its names that may match. */
function selectPending(db: Database, ownerId: string, text: string, below: string) {
  return db
    .with(
      (page) => page('page').materialized(),
      (pending) =>
        pending
          .selectFrom('search_pending')
          .select(['item_id', 'name'])
          .where('owner_id', '=', ownerId)
          .where('item_id', '<', below)
          .orderBy('item_id', 'desc')
          .limit(PAGE),
    )
    .selectFrom('page')
    .select(({ fn }) => [
      fn.min('item_id').as('item_id'),
      sql<string | null>`null`.as('name'),
      sql<number | null>`count(*)`.as('size'),
    ])
    .unionAll((both) =>
      both
        .selectFrom('page')
        .select(['item_id', 'name', sql<number | null>`null`.as('size')])
        .where(mayHaveFolded(db, 'name', text)),
    )
}
