import { searchItems } from '@alcove/contract/search'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { narrowResponse, type SearchResponse } from './result-list.ts'

/** How long to wait after a keystroke before the request, in milliseconds. */
const TYPING_PAUSE = 120

/**
 * Searches for a text while it is typed. The results are always those of the current text: requests for earlier ones are
 * aborted.
 */
export function useSearch(typed: string) {
  const text = typed.trim()
  const [requested, setRequested] = useState('')
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: [...queryKeys.searches, requested],
    queryFn: async ({ signal }): Promise<SearchResponse> => ({
      text: requested,
      results: await send(searchItems, { q: requested }, { signal }),
    }),
    enabled: requested !== '',
    staleTime: 0,
    gcTime: 60_000,
    retry: 1,
    // Fails at once without a network, instead of waiting for it.
    networkMode: 'always',
  })
  const lastResponse = useRef<SearchResponse>(undefined)

  useEffect(() => {
    if (data) lastResponse.current = data
  }, [data])

  useEffect(() => {
    if (text === requested) return
    const timer = setTimeout(() => setRequested(text), text === '' ? 0 : TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text, requested])

  const isAnswered = text === requested && data !== undefined
  return {
    text,
    results: text === '' ? undefined : isAnswered ? data.results : narrowResponse(lastResponse.current, text),
    /** Whether the response is complete. Only then does an empty list mean that nothing was found. */
    isAnswered,
    isFailed: text !== '' && text === requested && isError && !isFetching,
    /** Sends the request without waiting for a pause in typing, or sends it again. */
    askNow: () => {
      if (text === '') return
      if (text === requested) void refetch()
      else setRequested(text)
    },
  }
}
