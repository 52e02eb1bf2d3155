import { setTimeout } from 'node:timers/promises'
import { foldForSearch } from '@alcove/contract/search-text'
import type { Database } from '../../platform/db/database.ts'
import { ngramsOfName } from './ngrams.ts'
import { packPostings, SEGMENT_SIZE } from './postings.ts'

export interface NamedItem {
  id: string
  name: string
}

/** So many names are taken apart, and so many rows written, before others get their turn. */
const NAMES_AT_ONCE = 100
const PAUSE = 2

/** Few sizes, so that there are few statements to be kept. */
const ROWS_AT_ONCE = [200, 10, 1]

/** Writes the rows of a segment, which nobody sees before it is declared ready. */
export async function writeSegment(db: Database, segment: number, items: readonly NamedItem[]): Promise<void> {
  const members = items.map(({ id, name }, index) => ({
    place: segment * SEGMENT_SIZE + index,
    item_id: id,
    folded: foldForSearch(name),
  }))
  for (const rows of inPieces(members)) await db.insertInto('search_members').values(rows).execute()

  const postingsByNgram = await gatherPlaces(items)
  const postings = [...postingsByNgram.keys()]
    .sort()
    .map((ngram) => ({ segment, gram: ngram, places: packPostings(postingsByNgram.get(ngram) as number[]) }))
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
