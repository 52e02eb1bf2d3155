import { MAX_SEARCH_RESULTS } from '@alcove/contract/limits'
import type { SearchResult } from '@alcove/contract/search'
import { foldForSearch } from '@alcove/contract/search-text'

/** What the server has found for a text. */
export interface SearchResponse {
  readonly text: string
  readonly results: readonly SearchResult[]
}

/**
 * The results for a text as far as an earlier answer tells them: a longer text finds some of what its beginning has
 * found, if that was all there is. Undefined where only the server can tell.
 */
export function narrowResponse(
  response: SearchResponse | undefined,
  text: string,
): readonly SearchResult[] | undefined {
  if (!response || response.results.length >= MAX_SEARCH_RESULTS) return undefined
  const wanted = foldForSearch(text)
  if (!wanted.includes(foldForSearch(response.text))) return undefined
  const places = response.results.map((result) => ({ result, rank: rankOf(result.name, wanted) }))
  return places
    .filter(({ rank }) => rank < 3)
    .sort((one, other) => one.rank - other.rank)
    .map(({ result }) => result)
}

/** 0 for a name that is the text, 1 where it begins with it, 2 where it contains it, 3 where it does not. */
function rankOf(name: string, wanted: string): number {
  const folded = foldForSearch(name)
  if (folded === wanted) return 0
  if (folded.startsWith(wanted)) return 1
  return folded.includes(wanted) ? 2 : 3
}
