import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import type { ItemList } from '../../items/lists/item-lists.ts'
import { type Sort, writeSort } from '../../items/lists/item-order.ts'
import { fetchNextPage, withPage } from './folder-contents.ts'

/** Between two pages that nobody waits for, so that the page has time for its user. */
const PAUSE = 60
/** After a page that could not be fetched. */
const RETRY = 3000

/**
 * Loads what is still missing of a list, page after page. Without pause and with larger pages while `isWanted`:
 * somebody looks at a place that has not been loaded, or looks for a name.
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
    const timer = setTimeout(load, failures > 0 ? RETRY : wanted.current ? 0 : PAUSE)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [queryClient, folderId, field, order, cursor, failures])
}
