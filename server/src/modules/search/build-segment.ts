// SURPRISE: names are searched in an index of our own instead of the databases' full-text search: segments of up to 7808
// names in ordinary tables, the same on SQLite and PostgreSQL (docs/decisions/005-search.md).
// Measured: with a million names of one user, 95 of 100 searches take at most 41 ms on SQLite and at most 90 ms on PostgreSQL.
// Scanning as many names without the index takes 3 to 4 seconds.
// Remove it when: the full-text search of both databases finds texts of one and two letters, keeps users apart, stops at a
// limit and doesn't delay the statement that stores a file.

import { setTimeout } from 'node:timers/promises'
import { foldForSearch } from '@alcove/contract/search-text'
import type { Services } from '../../context.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { isUniqueViolation } from '../../platform/db/database-errors.ts'
import { ngramsOfName } from './ngrams.ts'
import { MAX_NAMES, packPostings, SEGMENT_SIZE } from './postings.ts'

const PAGE = 1024

/**
 * Builds an index segment from the oldest pending names of a user. Returns how many were pending, or 0 if another
 * server is building.
 */
export function buildFromPending({ db, clock }: Pick<Services, 'db' | 'clock'>, ownerId: string): Promise<number> {
  return buildSegment(db, clock.now(), ownerId, async () => {
    const { tree_version: stamp } = await db
      .selectFrom('users')
      .select('tree_version')
      .where('id', '=', ownerId)
      .executeTakeFirstOrThrow()
    const items: NamedItem[] = []
    let count = 0
    let last = ''
    for (let isMore = true; isMore && count < MAX_NAMES; ) {
      const limit = Math.min(PAGE, MAX_NAMES - count)
      const page = await listPending(db, ownerId, { after: last, stamp, limit })
      for (const { id, name } of page) if (name !== null) items.push({ id, name })
      count += page.length
      last = page.at(-1)?.id ?? last
      isMore = page.length === limit
    }
    // Names that changed since they were read have a later stamp and stay pending.
    const finish = async (tx: Tx) => {
      await tx
        .deleteFrom('search_pending')
        .where('owner_id', '=', ownerId)
        .where('item_id', '<=', last)
        .where('stamp', '<=', stamp)
        .execute()
    }
    return { items, count, finish }
  })
}

/**
 * Merges several segments of a user into a new one, without items that can no longer be found. Names for which it has no space are
 * pending again.
 */
export function buildFromSegments(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  ownerId: string,
  segments: readonly number[],
): Promise<number> {
  const now = clock.now()
  return buildSegment(db, now, ownerId, async () => {
    const items = new Map<string, NamedItem>()
    for (const segment of segments) {
      for (let from = 0; from < SEGMENT_SIZE; from += PAGE) {
        for (const item of await listMembers(db, ownerId, segment * SEGMENT_SIZE + from)) items.set(item.id, item)
      }
    }
    const all = [...items.values()]
    const rest = all.slice(MAX_NAMES)
    const finish = async (tx: Tx) => {
      await tx
        .updateTable('search_segments')
        .set({ state: 'retired', changed_at: now })
        .where('id', 'in', segments)
        .execute()
      if (rest.length === 0) return
      // A name that has changed meanwhile is pending with a later stamp.
      await tx
        .insertInto('search_pending')
        .values(rest.map(({ id, name }) => ({ owner_id: ownerId, item_id: id, name, stamp: 0 })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    return { items: all.slice(0, MAX_NAMES), count: items.size, finish }
  })
}

interface Draft {
  items: NamedItem[]
  count: number
  /** Changes that are committed together with the segment. */
  finish: (tx: Tx) => Promise<void>
}

/**
 * Builds one segment of a user in many short statements. Only the last transaction makes it visible. A unique index
 * allows one at a time per user. Segments left half built by a dead server are swept.
 */
async function buildSegment(db: Database, now: number, ownerId: string, draw: () => Promise<Draft>): Promise<number> {
  const segment = await claim(db, ownerId, now)
  if (segment === undefined) return 0
  try {
    const { items, count, finish } = await draw()
    await writeSegment(db, segment, items)
    await db.transaction().execute(async (tx) => {
      await finish(tx)
      if (items.length === 0) return tx.deleteFrom('search_segments').where('id', '=', segment).execute()
      return tx
        .updateTable('search_segments')
        .set({ state: 'ready', size: items.length, changed_at: now })
        .where('id', '=', segment)
        .where('state', '=', 'building')
        .returning('id')
        .executeTakeFirstOrThrow()
    })
    return count
  } catch (error) {
    await db.deleteFrom('search_segments').where('id', '=', segment).execute()
    throw error
  }
}

async function claim(db: Database, ownerId: string, now: number): Promise<number | undefined> {
  try {
    const { id } = await db
      .insertInto('search_segments')
      .values({ owner_id: ownerId, state: 'building', changed_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  } catch (error) {
    if (isUniqueViolation(error)) return undefined
    throw error
  }
}

interface PendingPage {
  after: string
  stamp: number
  limit: number
}

/** Returns a page of pending names. The name is missing if the item can no longer be found, or has another owner. */
async function listPending(db: Database, ownerId: string, { after, stamp, limit }: PendingPage) {
  const pending = await db
    .selectFrom('search_pending')
    .leftJoin('items', 'items.id', 'search_pending.item_id')
    .select(['search_pending.item_id', ...found])
    .where('search_pending.owner_id', '=', ownerId)
    .where('search_pending.item_id', '>', after)
    .where('search_pending.stamp', '<=', stamp)
    .orderBy('search_pending.item_id')
    .limit(limit)
    .execute()
  return pending.map((row) => ({ id: row.item_id, name: nameOf(row, ownerId) }))
}

/** An item that has another owner since then is left out. */
async function listMembers(db: Database, ownerId: string, firstPlace: number): Promise<NamedItem[]> {
  const members = await db
    .selectFrom('search_members')
    .leftJoin('items', 'items.id', 'search_members.item_id')
    .select(['search_members.item_id', ...found])
    .where('search_members.place', '>=', firstPlace)
    .where('search_members.place', '<', firstPlace + PAGE)
    .execute()
  return members.flatMap((row) => {
    const name = nameOf(row, ownerId)
    return name === null ? [] : [{ id: row.item_id, name }]
  })
}

// Checked afterwards, so that no planner starts with all items of the owner.
const found = ['items.name', 'items.owner_id', 'items.trash_id'] as const

type Found = { [Column in 'name' | 'owner_id' | 'trash_id']: string | null }

function nameOf({ name, owner_id, trash_id }: Found, ownerId: string): string | null {
  return owner_id === ownerId && trash_id === null ? name : null
}

interface NamedItem {
  id: string
  name: string
}

/** Names processed, and rows written, before other work gets its turn. */
const NAMES_AT_ONCE = 100
const PAUSE = 2

/** Few batch sizes, so that few statements are prepared. */
const ROWS_AT_ONCE = [200, 10, 1]

/** Writes the rows of a segment that isn't visible yet. */
async function writeSegment(db: Database, segment: number, items: readonly NamedItem[]): Promise<void> {
  const members = items.map(({ id, name }, index) => ({
    place: segment * SEGMENT_SIZE + index,
    item_id: id,
    folded: foldForSearch(name),
  }))
  for (const rows of inPieces(members)) await db.insertInto('search_members').values(rows).execute()

  const postingsByNgram = await gatherPlaces(items)
  const postings = [...postingsByNgram.keys()].sort().map((ngram) => ({
    segment,
    gram: ngram,
    places: packPostings(postingsByNgram.get(ngram) as number[], items.length),
  }))
  for (const rows of inPieces(postings)) {
    await db.insertInto('search_postings').values(rows).execute()
    await setTimeout(PAUSE)
  }
}

async function gatherPlaces(items: readonly NamedItem[]): Promise<Map<string, number[]>> {
  const postingsByNgram = new Map<string, number[]>()
  for (const [place, { name }] of items.entries()) {
    for (const ngram of ngramsOfName(foldForSearch(name))) {
      const places = postingsByNgram.get(ngram)
      if (places) places.push(place)
      else postingsByNgram.set(ngram, [place])
    }
    if (place % NAMES_AT_ONCE === NAMES_AT_ONCE - 1) await setTimeout(PAUSE)
  }
  return postingsByNgram
}

function* inPieces<Row>(rows: readonly Row[]): Generator<Row[]> {
  let done = 0
  for (const size of ROWS_AT_ONCE) {
    for (; done + size <= rows.length; done += size) yield rows.slice(done, done + size)
  }
}
