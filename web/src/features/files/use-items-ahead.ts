import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { type ItemList, withItemsAhead } from '../../items/lists/item-lists.ts'
import { type Sort, writeSort } from '../../items/lists/item-order.ts'
import { batchStart, fetchItemsAt } from './folder-contents.ts'

/** A place that is only scrolled past is not asked for. */
const REST = 60
/** After a response that did not come. */
const RETRY = 3000

/**
 * Loads what somebody looks at far down a list, without all that lies before it. `onMiss` takes the first index in view
 * of which nothing is known; `isMissing` is while there is one.
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
    const timer = setTimeout(load, failures > 0 ? RETRY : REST)
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
