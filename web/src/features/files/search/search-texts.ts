import { MAX_SEARCH_RESULTS } from '@alcove/contract/limits'
import type { SearchResult } from '@alcove/contract/search'
import { plural } from '../../../lib/format.ts'

export const optionId = (listId: string, result: Pick<SearchResult, 'id'>) => `${listId}-${result.id}`

interface Found {
  readonly results: readonly SearchResult[] | undefined
  readonly isAnswered: boolean
}

/** How many results there are, in words, for those who do not see them. */
export function describeResults({ results, isAnswered }: Found): string {
  if (!isAnswered || !results) return ''
  if (results.length === 0) return 'No results found'
  return results.length === MAX_SEARCH_RESULTS
    ? `The best ${MAX_SEARCH_RESULTS} results`
    : plural(results.length, 'result')
}
