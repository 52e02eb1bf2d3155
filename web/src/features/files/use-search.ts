import { searchItems } from '@alcove/contract/search'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { send } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { narrowAnswer, type SearchAnswer } from './search-answer.ts'

/** So long typing has to rest before the server is asked. */
const REST = 120

/**
 * What is found for a text while it is being typed. Results are only ever those of the very text: what comes late for
 * another one is dropped, and its request is given up.
 */
export function useSearch(typed: string) {
  const text = typed.trim()
  const [asked, setAsked] = useState('')
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: [...queryKeys.searches, asked],
    queryFn: async ({ signal }): Promise<SearchAnswer> => ({
      text: asked,
      results: await send(searchItems, { q: asked }, { signal }),
    }),
    enabled: asked !== '',
    staleTime: 0,
    gcTime: 60_000,
    retry: 1,
    // Without a network it fails at once and says so.
    networkMode: 'always',
  })
  const lastAnswer = useRef<SearchAnswer>(undefined)

  useEffect(() => {
    if (data) lastAnswer.current = data
  }, [data])

  useEffect(() => {
    if (text === asked) return
    const timer = setTimeout(() => setAsked(text), text === '' ? 0 : REST)
    return () => clearTimeout(timer)
  }, [text, asked])

  const isAnswered = text === asked && data !== undefined
  return {
    text,
    results: text === '' ? undefined : isAnswered ? data.results : narrowAnswer(lastAnswer.current, text),
    /** All of the server's answer is there: only then there is nothing where nothing is shown. */
    isAnswered,
    isFailed: text !== '' && text === asked && isError && !isFetching,
    /** Asks now, without waiting for the typing to rest; again if it has been asked. */
    askNow: () => {
      if (text === '') return
      if (text === asked) void refetch()
      else setAsked(text)
    },
  }
}
