import { readSort, type Sort, writeSort } from '../../lib/item-order.ts'
import { updateSession, useSession } from '../../lib/session.ts'

/** How the user wants files sorted, remembered by the browser. */
export function useSort(): [Sort, (sort: Sort) => void] {
  const { fileSort } = useSession()
  return [readSort(fileSort), (sort) => updateSession({ fileSort: writeSort(sort) })]
}
