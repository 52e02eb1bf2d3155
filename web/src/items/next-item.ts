import { type Layout, type Row, rowAt, rowOfItem, type Section, sectionOf } from './grid/layout.ts'

/**
 * The item that a key of the keyboard moves to from another, or undefined when the key does not move. Up and Down keep
 * to the column, also from folders to files, whose columns are of another width.
 */
export function nextItem(
  layout: Layout,
  from: number,
  key: string,
  isControl: boolean,
  pageHeight: number,
): number | undefined {
  const last = layout.total - 1
  if (last < 0) return undefined
  const row = rowOfItem(layout, from)
  const { start, end } = rowAt(layout, row)
  const { rowHeight } = sectionOf(layout, from) as Section
  const page = Math.max(1, Math.floor(pageHeight / rowHeight))
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, from - 1)
    case 'ArrowRight':
      return Math.min(last, from + 1)
    case 'ArrowUp':
      return below(layout, from, -1)
    case 'ArrowDown':
      return below(layout, from, 1)
    case 'PageUp':
      return below(layout, from, -page)
    case 'PageDown':
      return below(layout, from, page)
    case 'Home':
      return isControl || end - start === 1 ? 0 : start
    case 'End':
      return isControl || end - start === 1 ? last : end - 1
    default:
      return undefined
  }
}

/** The item so many rows below: in the same place of the row, as far as that row has one. */
function below(layout: Layout, from: number, steps: number): number {
  const row = rowOfItem(layout, from)
  const { start, columns } = rowAt(layout, row)
  const target = itemRowFrom(layout, row, steps)
  const place = (from - start) / columns
  return Math.min(target.end - 1, target.start + Math.floor(place * target.columns))
}

function itemRowFrom(layout: Layout, row: number, steps: number): Row {
  const direction = Math.sign(steps)
  let found = row
  for (let next = row, left = Math.abs(steps); left > 0; ) {
    next += direction
    if (next < 0 || next >= layout.rowCount) break
    if (rowAt(layout, next).kind === 'heading') continue
    found = next
    left -= 1
  }
  return rowAt(layout, found)
}
