import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { type ItemList, withItemsAhead } from '../../items/lists/item-lists.ts'
import { type Sort, writeSort } from '../../items/lists/item-order.ts'
import { batchStart, fetchItemsAt, fetchNextPage, withPage } from './folder-contents.ts'

/** The pause between two pages in the background, so that the page stays responsive, in milliseconds. */
const PAUSE = 60
/** The pause after a failed request, in milliseconds. */
const RETRY_DELAY = 3000

/**
 * Loads the rest of a list, page after page. While `isWanted` there are no pauses and the pages are larger, because the
 * user looks for an item that hasn't loaded.
 */
export function useRestOfItems(
  folderId: string | undefined,
  sort: Sort,
  list: ItemList | undefined,
  isWanted: boolean,
): void {
  const queryClient = useQueryClient()
  const wanted = useRef(isWanted)
  wanted.current = isWanted
  const [failures, setFailures] = useState(0)
  const cursor = list?.nextCursor ?? null
  const { field, order } = sort

  useEffect(() => {
    if (cursor === null) return
    const controller = new AbortController()
    const { signal } = controller
    const load = async () => {
      try {
        const page = await fetchNextPage(folderId, { field, order }, cursor, wanted.current, signal)
        if (signal.aborted) return
        queryClient.setQueryData<ItemList>(
          [...queryKeys.folderItems(folderId), writeSort({ field, order })],
          (known) => (known?.nextCursor === cursor ? withPage(known, page) : known),
        )
        setFailures(0)
      } catch {
        if (!signal.aborted) setFailures((count) => count + 1)
      }
    }
    const timer = setTimeout(load, failures > 0 ? RETRY_DELAY : wanted.current ? 0 : PAUSE)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [queryClient, folderId, field, order, cursor, failures])
}

/** How long a place has to be in view until it is requested, in milliseconds. */
const SCROLL_PAUSE = 60

/**
 * Loads the items in view far down a list, without the items before them. `onMiss` takes the first index in view whose
 * item hasn't loaded. `isMissing` is true while there is one.
 */
export function useItemsAhead(folderId: string | undefined, sort: Sort, list: ItemList | undefined) {
  const queryClient = useQueryClient()
  const [missing, setMissing] = useState<number>()
  const [failures, setFailures] = useState(0)
  const { field, order } = sort
  const start = list && list.nextCursor !== null ? missing : undefined

  useEffect(() => {
    if (start === undefined) return
    const controller = new AbortController()
    const { signal } = controller
    const load = async () => {
      try {
        const items = await fetchItemsAt(folderId, { field, order }, start, signal)
        if (signal.aborted) return
        queryClient.setQueryData<ItemList>(
          [...queryKeys.folderItems(folderId), writeSort({ field, order })],
          (known) => known && withItemsAhead(known, { start, items }),
        )
        setFailures(0)
      } catch {
        if (!signal.aborted) setFailures((count) => count + 1)
      }
    }
    const timer = setTimeout(load, failures > 0 ? RETRY_DELAY : SCROLL_PAUSE)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [queryClient, folderId, field, order, start, failures])

  return {
    isMissing: start !== undefined,
    onMiss: (index: number | undefined) => setMissing(index === undefined ? undefined : batchStart(index)),
  }
}
