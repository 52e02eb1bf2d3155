import { updateSession, useSession } from '../../api/session.ts'
import type { View } from '../../items/grid/layout.ts'
import { readSort, type Sort, writeSort } from '../../items/lists/item-order.ts'

/** How the user wants files sorted, remembered by the browser. */
export function useSort(): [Sort, (sort: Sort) => void] {
  const { fileSort } = useSession()
  return [readSort(fileSort), setSort]
}

function setSort(sort: Sort): void {
  updateSession({ fileSort: writeSort(sort) })
}

/** How the user wants files shown, remembered in the same way. */
export function useView(): [View, (view: View) => void] {
  const { fileView } = useSession()
  return [fileView === 'list' ? 'list' : 'grid', setView]
}

function setView(view: View): void {
  updateSession({ fileView: view })
}
