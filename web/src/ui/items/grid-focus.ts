import type { Item } from '@alcove/contract/items'
import type { GridRow } from './grid-rows.ts'

/** Rows that Page Up and Page Down pass over. */
const PAGE = 4

/**
 * The item that a key of the keyboard moves to from another, or undefined when the key does not move. Up and Down keep
 * to the column, also from folders to files, whose columns are of another width.
 */
export function findNextItem(
  rows: readonly GridRow[],
  from: string | undefined,
  key: string,
  isControl: boolean,
): Item | undefined {
  const itemRows = rows.filter((row) => row.kind !== 'heading').map((row) => row.items as readonly Item[])
  const items = itemRows.flat()
  const index = Math.max(
    0,
    items.findIndex(({ id }) => id === from),
  )
  const rowIndex = Math.max(
    0,
    itemRows.findIndex((row) => row.some(({ id }) => id === items[index]?.id)),
  )
  const row = itemRows[rowIndex] ?? []
  const columnIndex = Math.max(
    0,
    row.findIndex(({ id }) => id === items[index]?.id),
  )

  /** The item above or below: in the same place of the row, as far as that row has one. */
  const vertical = (steps: number) => {
    const target = itemRows[Math.min(itemRows.length - 1, Math.max(0, rowIndex + steps))] ?? []
    const place = columnIndex / widthOf(itemRows, row)
    return target[Math.min(target.length - 1, Math.floor(place * widthOf(itemRows, target)))]
  }

  switch (key) {
    case 'ArrowLeft':
      return items[Math.max(0, index - 1)]
    case 'ArrowRight':
      return items[Math.min(items.length - 1, index + 1)]
    case 'ArrowUp':
      return vertical(-1)
    case 'ArrowDown':
      return vertical(1)
    case 'PageUp':
      return vertical(-PAGE)
    case 'PageDown':
      return vertical(PAGE)
    case 'Home':
      return isControl ? items[0] : row[0]
    case 'End':
      return isControl ? items.at(-1) : row.at(-1)
    default:
      return undefined
  }
}

/** How many tiles a row of this kind can hold: as many as the fullest row of its kind has. */
function widthOf(rows: readonly (readonly Item[])[], row: readonly Item[]): number {
  const type = row[0]?.type
  return Math.max(1, ...rows.filter(([first]) => first?.type === type).map(({ length }) => length))
}
