import { type ItemList, itemAt } from '../lists/item-lists.ts'
import { type Layout, rowAt } from './layout.ts'

/**
 * The index of the first item in view that is not known yet. The rows are those in the document: the row of the active
 * item may be among them though it is far away, and is not meant.
 */
export function firstMissing(list: ItemList, layout: Layout, rows: readonly number[]): number | undefined {
  if (list.nextCursor === null) return undefined
  const middle = rows.length >> 1
  for (const [place, row] of rows.entries()) {
    if (Math.abs(row - (rows[middle] as number)) !== Math.abs(place - middle)) continue
    const { start, end } = rowAt(layout, row)
    for (let index = start; index < end; index++) if (itemAt(list, index) === undefined) return index
  }
  return undefined
}
