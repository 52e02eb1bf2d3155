import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../platform/db/database.ts'
import { hasText, isAmong } from '../../platform/db/portable-sql.ts'
import { executePlanned } from '../../platform/db/prepared-query.ts'
import { noteNewNames } from './changed-owners.ts'
import { ngramsOfText, type WantedNgrams } from './ngrams.ts'
import { everyPlace, isEmpty, keepStored, leaveOut, listPlaces, type Places, SEGMENT_SIZE } from './postings.ts'
import { type FoundItem, RANKS, type Rank, type RankedItems, type SearchedDrive } from './ranked-items.ts'

/** Positions in the first batch. Batches grow while they contain few matches. */
const FIRST_PLACES = 200
const MAX_POSTINGS = 6400
/** After so many positions without a match, the segment is rebuilt. */
const MANY_IN_VAIN = SEGMENT_SIZE / 8

/**
 * Adds the matches of the index, newest segments first. Each item is checked as it is now. Returns false if it has read as many
 * candidates as it may before it was through.
 */
export async function collectIndexed(
  db: Database,
  drive: SearchedDrive,
  text: string,
  matches: readonly SegmentMatches[],
  found: RankedItems,
  maxCandidates: number,
): Promise<boolean> {
  const { ownerId } = drive
  const inVain = new Map<number, number>()
  let left = maxCandidates
  for (const rank of RANKS) {
    if (found.hasEnough(rank)) continue
    if (left <= 0) break
    let size = FIRST_PLACES
    const portions = placesOf(matches, rank)
    for (let next = portions.next(size); !next.done; next = portions.next(size)) {
      const count = await collectPlaces(db, drive, text, next.value, found, inVain)
      left -= next.value.length
      if (found.hasEnough(rank) || left <= 0) break
      if (count < size / 2) size = Math.min(MAX_POSTINGS, size * 4)
      await setImmediate()
    }
  }
  const stale = [...inVain].filter(([, count]) => count >= MANY_IN_VAIN).map(([segment]) => segment)
  if (stale.length === 0) return left > 0
  await db.updateTable('search_segments').set({ is_stale: 1 }).where('id', 'in', stale).execute()
  noteNewNames(db, ownerId)
  return left > 0
}

/** Yields the positions of possible matches of a rank in batches, until the caller stops. */
function* placesOf(matches: readonly SegmentMatches[], rank: Rank): Generator<number[], void, number> {
  let portion: number[] = []
  let size = FIRST_PLACES
  for (const { segment, byRank } of matches) {
    for (const place of listPlaces(byRank[rank])) {
      portion.push(segment * SEGMENT_SIZE + place)
      if (portion.length < size) continue
      size = yield portion
      portion = []
    }
  }
  if (portion.length > 0) yield portion
}

/**
 * Reads the items at positions whose indexed name contains the text. A renamed item is found where its new name is
 * indexed. Returns how many there are.
 */
async function collectPlaces(
  db: Database,
  { ownerId, isInReach }: SearchedDrive,
  text: string,
  places: readonly number[],
  found: RankedItems,
  inVain: Map<number, number>,
): Promise<number> {
  // Owner and trash are checked afterwards, so that no planner starts with all items of the owner.
  const rows = await executePlanned(
    db,
    db
      .selectFrom('search_members')
      .leftJoin('items', 'items.id', 'search_members.item_id')
      .select(['place', 'id', 'owner_id', 'trash_id', 'parent_id', 'kind', 'name', 'sort_key'])
      .select(isInReach.as('is_in_reach'))
      .where(isAmong(db, 'place', places, 'bigint'))
      .where((eb) => eb.or([eb('folded', 'is', null), hasText(db, 'folded', text)])),
  )
  let count = 0
  for (const { place, trash_id, is_in_reach, ...item } of rows) {
    if (isThere(item) && item.owner_id === ownerId && trash_id === null) {
      if (!is_in_reach) continue
      found.add(item)
      count += 1
    } else {
      const segment = Math.floor(place / SEGMENT_SIZE)
      inVain.set(segment, (inVain.get(segment) ?? 0) + 1)
    }
  }
  return count
}

/** The columns of an item are either all there or all null. */
function isThere(item: { [Column in keyof FoundItem]: FoundItem[Column] | null }): item is FoundItem {
  return item.id !== null
}

/** The positions of possible matches of each rank in a segment. */
export interface SegmentMatches {
  segment: number
  byRank: Readonly<Record<Rank, Places>>
}

const SEGMENTS_AT_ONCE = 128
/** Few numbers of n-grams, so that few statements are planned. The rest is filled with the last one. */
const NGRAMS_AT_ONCE = [4, 7]
/** Larger than every segment's id. */
const LAST_SEGMENT = Number.MAX_SAFE_INTEGER

/** Finds the positions at which a user's segments have all n-grams of a folded text, newest segments first. */
export async function matchSegments(db: Database, ownerId: string, text: string): Promise<SegmentMatches[]> {
  const wanted = ngramsOfText(text)
  const ngrams = fill([...new Set([...wanted.inside, wanted.start, wanted.end])], NGRAMS_AT_ONCE)
  const matches: SegmentMatches[] = []
  for (let below = LAST_SEGMENT, isMore = true; isMore; ) {
    const segments = await readPostings(db, { ownerId, below }, ngrams)
    for (const [segment, postings] of segments) {
      const byRank = combine(postings, wanted)
      if (byRank) matches.push({ segment, byRank })
      below = segment
    }
    isMore = segments.size === SEGMENTS_AT_ONCE
  }
  return matches
}

type Postings = Map<string, Uint8Array>

/**
 * Returns what the next segments, newest first, have of some n-grams. A segment that was replaced since the first ones were read counts:
 * the new one is in front of them.
 */
async function readPostings(
  db: Database,
  { ownerId, below }: { ownerId: string; below: number },
  ngrams: readonly string[],
): Promise<Map<number, Postings>> {
  const rows = await executePlanned(
    db,
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('search_segments')
          .select('id')
          .where('owner_id', '=', ownerId)
          .where('state', 'in', below === LAST_SEGMENT ? ['ready'] : ['ready', 'retired'])
          .where('id', '<', below)
          .orderBy('id', 'desc')
          .limit(SEGMENTS_AT_ONCE)
          .as('ready'),
      )
      .leftJoin('search_postings', (join) => join.onRef('segment', '=', 'ready.id').on('gram', 'in', ngrams))
      .select(['ready.id', 'gram', 'places'])
      .orderBy('ready.id', 'desc'),
  )
  const bySegment = new Map<number, Postings>()
  for (const { id, gram, places } of rows) {
    const postings = bySegment.get(id) ?? new Map<string, Uint8Array>()
    if (gram !== null && places !== null) postings.set(gram, places)
    bySegment.set(id, postings)
  }
  return bySegment
}

function combine(postings: Postings, { inside, start, end }: WantedNgrams): SegmentMatches['byRank'] | undefined {
  const contains = keepAll(everyPlace(), postings, inside)
  if (isEmpty(contains)) return undefined
  const begins = keepAll(contains.slice(), postings, [start])
  if (isEmpty(begins)) return { 0: begins, 1: begins, 2: contains }
  const whole = keepAll(begins.slice(), postings, [end])
  return { 0: whole, 1: leaveOut(begins, whole), 2: leaveOut(contains, begins) }
}

function keepAll(places: Places, postings: Postings, ngrams: readonly string[]): Places {
  for (const ngram of ngrams) {
    const stored = postings.get(ngram)
    if (!stored) return places.fill(0)
    keepStored(places, stored)
  }
  return places
}

function fill<Value>(values: readonly Value[], sizes: readonly number[]): Value[] {
  const size = sizes.find((enough) => enough >= values.length) ?? values.length
  return [...values, ...new Array<Value>(size - values.length).fill(values.at(-1) as Value)]
}
