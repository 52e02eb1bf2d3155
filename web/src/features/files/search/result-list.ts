import { MAX_SEARCH_RESULTS } from '@alcove/contract/limits'
import type { SearchResult } from '@alcove/contract/search'
import { foldForSearch } from '@alcove/contract/search-text'
import { plural } from '../../../lib/format.ts'

/** The results of the server for a text. */
export interface SearchResponse {
  readonly text: string
  readonly results: readonly SearchResult[]
}

/**
 * Returns the results for a text from an earlier response, or undefined if that isn't possible. A text that contains the
 * earlier one finds a part of its results, provided that the earlier response was complete.
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

/** Returns 0 if a name equals the text, 1 if it starts with it, 2 if it contains it, else 3. */
function rankOf(name: string, wanted: string): number {
  const folded = foldForSearch(name)
  if (folded === wanted) return 0
  if (folded.startsWith(wanted)) return 1
  return folded.includes(wanted) ? 2 : 3
}

/**
 * Returns the result that a key moves to, or undefined if the key isn't for the list. The arrows wrap around. Home and End
 * move in the text as long as no result is active.
 */
export function findNextResult<Result extends { readonly id: string }>(
  results: readonly Result[],
  activeId: string | undefined,
  key: string,
): Result | undefined {
  const index = results.findIndex(({ id }) => id === activeId)
  if (key === 'ArrowDown') return results[(index + 1) % results.length]
  if (key === 'ArrowUp') return results.at(index <= 0 ? -1 : index - 1)
  if (index === -1) return undefined
  if (key === 'Home') return results[0]
  if (key === 'End') return results.at(-1)
  return undefined
}

export const optionId = (listId: string, result: Pick<SearchResult, 'id'>) => `${listId}-${result.id}`

interface Found {
  readonly results: readonly SearchResult[] | undefined
  readonly isAnswered: boolean
}

/** Returns the number of results in words, for screen readers. */
export function describeResults({ results, isAnswered }: Found): string {
  if (!isAnswered || !results) return ''
  if (results.length === 0) return 'No results found'
  return results.length === MAX_SEARCH_RESULTS
    ? `The best ${MAX_SEARCH_RESULTS} results`
    : plural(results.length, 'result')
}
