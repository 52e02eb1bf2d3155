import type { Database } from '../../platform/db/database.ts'
import type { WantedNgrams } from './ngrams.ts'
import { everyPlace, isEmpty, keepStored, leaveOut, type Places } from './postings.ts'
import type { Rank } from './ranked-items.ts'

/** Where in a segment there may be matches of each rank. */
export interface SegmentMatches {
  segment: number
  byRank: Readonly<Record<Rank, Places>>
}

/** Few sizes, so that there are few statements to be planned. What is missing is filled up with the last one. */
const SEGMENTS_AT_ONCE = [4, 32, 128]
const NGRAMS_AT_ONCE = [4, 7]

/** Where a user's segments have all the grams that are wanted; the newest segments first. */
export async function matchSegments(db: Database, ownerId: string, wanted: WantedNgrams): Promise<SegmentMatches[]> {
  const segments = await listSegments(db, ownerId)
  const ngrams = fill([...new Set([...wanted.inside, wanted.start, wanted.end])], NGRAMS_AT_ONCE)
  const matches: SegmentMatches[] = []
  const max = SEGMENTS_AT_ONCE.at(-1) as number
  for (let at = 0; at < segments.length; at += max) {
    const some = segments.slice(at, at + max)
    const postings = await readPostings(db, fill(some, SEGMENTS_AT_ONCE), ngrams)
    for (const segment of some) {
      const byRank = combine(postings.get(segment) ?? new Map(), wanted)
      if (byRank) matches.push({ segment, byRank })
    }
  }
  return matches
}

async function listSegments(db: Database, ownerId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('search_segments')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('state', '=', 'ready')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id }) => id)
}

type Postings = Map<string, Uint8Array>

async function readPostings(
  db: Database,
  segments: readonly number[],
  ngrams: readonly string[],
): Promise<Map<number, Postings>> {
  const rows = await db
    .selectFrom('search_postings')
    .select(['segment', 'gram', 'places'])
    .where('segment', 'in', segments)
    .where('gram', 'in', ngrams)
    .execute()
  const bySegment = new Map<number, Postings>()
  for (const { segment, gram: ngram, places } of rows) {
    const postings = bySegment.get(segment) ?? new Map<string, Uint8Array>()
    postings.set(ngram, places)
    bySegment.set(segment, postings)
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
