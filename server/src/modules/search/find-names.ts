import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { byIndex, isAmong, mayHaveFolded } from '../../platform/db/portable-sql.ts'
import { executePlanned } from '../../platform/db/prepared-query.ts'
import { collectIndexed } from './collect-indexed.ts'
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
  // In this order, a name that is indexed in the meantime is found twice rather than not at all.
  const read = await collectPending(db, drive, text, found, maxCandidates)
  return collectIndexed(db, drive, text, found, maxCandidates - read)
}

const PAGE = 2048
const ITEMS_AT_ONCE = 200
/** Sorts after every id. */
const LAST = '~'

/** Adds matches among the names that are not indexed yet, newest first. Returns how many candidates it has read. */
async function collectPending(
  db: Database,
  { ownerId, isInReach }: SearchedDrive,
  text: string,
  found: RankedItems,
  maxCandidates: number,
): Promise<number> {
  let read = 0
  const idsByRank = await byIndex(db, (reading) => matchPending(reading, ownerId, text))
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

async function matchPending(db: Database, ownerId: string, text: string): Promise<Record<Rank, string[]>> {
  const idsByRank: Record<Rank, string[]> = { 0: [], 1: [], 2: [] }
  for (let last: string | null = LAST; last !== null; ) {
    const names: PendingName[] = await executePlanned(db, selectPending(db, ownerId, text, last))
    last = null
    for (const { item_id, name, size } of names) {
      if (name === null) {
        if (size === PAGE) last = item_id
        continue
      }
      const rank = rankOf(name, text)
      if (rank !== undefined && item_id !== null) idsByRank[rank].push(item_id)
    }
    if (last !== null) await setImmediate()
  }
  return idsByRank
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
