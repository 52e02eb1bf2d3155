import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../platform/db/database.ts'
import { noteNewNames } from './changed-owners.ts'
import { gramsOfText } from './grams.ts'
import { matchSegments, type SegmentMatches } from './match-segments.ts'
import { listPlaces, SEGMENT_SIZE } from './places.ts'
import { RANKS, type Rank, type RankedItems } from './ranked-items.ts'

const PLACES_AT_ONCE = 200
/** After so many places of a segment that led to nothing, it is built anew. */
const MANY_IN_VAIN = SEGMENT_SIZE / 8

/** Adds what the index leads to, the newest segments first. Each item is looked at as it is now. */
export async function collectIndexed(db: Database, ownerId: string, text: string, found: RankedItems): Promise<void> {
  const matches = await matchSegments(db, ownerId, gramsOfText(text))
  const inVain = new Map<number, number>()
  for (const rank of RANKS) {
    if (found.hasEnough(rank)) continue
    for (const places of placesOf(matches, rank)) {
      await collectPlaces(db, ownerId, places, found, inVain)
      if (found.hasEnough(rank)) break
      await setImmediate()
    }
  }
  const stale = [...inVain].filter(([, count]) => count >= MANY_IN_VAIN).map(([segment]) => segment)
  if (stale.length === 0) return
  await db.updateTable('search_segments').set({ is_stale: 1 }).where('id', 'in', stale).execute()
  noteNewNames(db, ownerId)
}

/** The places where a match of a rank may be, by portions. */
function* placesOf(matches: readonly SegmentMatches[], rank: Rank): Generator<number[]> {
  let portion: number[] = []
  for (const { segment, byRank } of matches) {
    for (const place of listPlaces(byRank[rank])) {
      portion.push(segment * SEGMENT_SIZE + place)
      if (portion.length < PLACES_AT_ONCE) continue
      yield portion
      portion = []
    }
  }
  if (portion.length > 0) yield portion
}

async function collectPlaces(
  db: Database,
  ownerId: string,
  places: readonly number[],
  found: RankedItems,
  inVain: Map<number, number>,
): Promise<void> {
  // One size for all, so that there is one statement.
  const wanted = [...places, ...new Array<number>(PLACES_AT_ONCE - places.length).fill(places[0] as number)]
  const items = await db
    .selectFrom('search_members')
    .innerJoin('items', 'items.id', 'search_members.item_id')
    .select(['search_members.place', 'items.id', 'items.parent_id', 'items.kind', 'items.name', 'items.sort_key'])
    .where('search_members.place', 'in', wanted)
    .where('items.owner_id', '=', ownerId)
    .where('items.trash_id', 'is', null)
    .execute()
  const missing = new Set(places)
  for (const item of items) {
    found.add(item)
    missing.delete(item.place)
  }
  for (const place of missing) {
    const segment = Math.floor(place / SEGMENT_SIZE)
    inVain.set(segment, (inVain.get(segment) ?? 0) + 1)
  }
}
