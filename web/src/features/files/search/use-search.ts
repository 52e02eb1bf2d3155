import { searchItems } from '@alcove/contract/search'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { narrowResponse, type SearchResponse } from './search-response.ts'

/** So long typing has to rest before the server is asked. */
const REST = 120

/**
 * What is found for a text while it is being typed. Results are only ever those of the very text: what comes late for
 * another one is dropped, and its request is given up.
 */
export function useSearch(typed: string) {
  const text = typed.trim()
  const [requested, setAsked] = useState('')
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
    // Without a network it fails at once and says so.
    networkMode: 'always',
  })
  const lastResponse = useRef<SearchResponse>(undefined)

  useEffect(() => {
    if (data) lastResponse.current = data
  }, [data])

  useEffect(() => {
    if (text === requested) return
    const timer = setTimeout(() => setAsked(text), text === '' ? 0 : REST)
    return () => clearTimeout(timer)
  }, [text, requested])

  const isAnswered = text === requested && data !== undefined
  return {
    text,
    results: text === '' ? undefined : isAnswered ? data.results : narrowResponse(lastResponse.current, text),
    /** All of the server's answer is there: only then there is nothing where nothing is shown. */
    isAnswered,
    isFailed: text !== '' && text === requested && isError && !isFetching,
    /** Asks now, without waiting for the typing to rest; again if it has been asked. */
    askNow: () => {
      if (text === '') return
      if (text === requested) void refetch()
      else setAsked(text)
    },
  }
}
