import { type ItemList, itemAt } from '../lists/item-lists.ts'

/** How items are shown. */
export type View = 'grid' | 'list'

/** What a row shows: a heading, folder tiles, file tiles, or one item of a list. */
export type RowKind = 'heading' | 'folders' | 'files' | 'list'

/** The items of one kind, in rows of the same height. */
export interface Section {
  readonly kind: Exclude<RowKind, 'heading'>
  readonly heading?: string
  /** The index of the first item, and the number of items. */
  readonly start: number
  readonly count: number
  readonly columns: number
  readonly gap: number
  readonly rowHeight: number
  readonly headingHeight: number
  /** The index of the first row, which may be the heading, and its distance from the top. */
  readonly firstRow: number
  readonly top: number
}

/**
 * The positions of all items of a list, computed from a few numbers. All rows of a kind have the same height, so no
 * function here takes longer with more items.
 */
export interface Layout {
  readonly sections: readonly Section[]
  readonly width: number
  readonly height: number
  readonly rowCount: number
  readonly total: number
}

export interface Row {
  readonly kind: RowKind
  readonly heading?: string
  /** The range of its items, as indexes; empty for a heading. */
  readonly start: number
  readonly end: number
  readonly top: number
  readonly columns: number
}

export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The height of a row of each kind, with the gap below it. */
export type RowHeights = Readonly<Record<RowKind, number>>

/** Returns the number of columns in a grid of the given width in pixels. */
export function columnsFor(width: number): { readonly folders: number; readonly files: number } {
  if (width < 544) return { folders: 2, files: 2 }
  if (width < 688) return { folders: 2, files: 3 }
  if (width < 976) return { folders: 3, files: width < 806 ? 3 : 4 }
  return { folders: width < 1540 ? 4 : 5, files: Math.min(7, Math.max(5, Math.floor((width + 14) / 222))) }
}

const GAPS = { folders: 12, files: 14, list: 0 } as const

/** Returns the row heights at the default text size, for use until rows are measured. */
export function guessHeights(width: number): RowHeights {
  const { files } = columnsFor(width)
  const tile = (width - (files - 1) * GAPS.files) / files
  return { heading: 32, folders: 64 + GAPS.folders, files: (tile - 16) * 0.75 + 65 + GAPS.files, list: 48 }
}

export function layOut(view: View, total: number, folderCount: number, width: number, heights: RowHeights): Layout {
  const sections: Section[] = []
  let [row, top] = [0, 0]
  const add = (kind: Section['kind'], start: number, count: number, columns: number, heading?: string) => {
    if (count === 0) return
    const headingHeight = heading === undefined ? 0 : heights.heading
    const [gap, rowHeight] = [GAPS[kind], heights[kind]]
    sections.push({
      kind,
      heading,
      start,
      count,
      columns,
      gap,
      rowHeight,
      headingHeight,
      firstRow: row,
      top,
    })
    const rows = Math.ceil(count / columns)
    row += rows + (heading === undefined ? 0 : 1)
    top += headingHeight + rows * rowHeight
  }
  if (view === 'list') add('list', 0, total, 1)
  else {
    const columns = columnsFor(width)
    add('folders', 0, folderCount, columns.folders, 'Folders')
    add('files', folderCount, total - folderCount, columns.files, 'Files')
  }
  return { sections, width, height: top, rowCount: row, total }
}

/** Returns whether two layouts show items in the same way, so that most of their rows are the same. */
export function isSameView(a: Layout, b: Layout): boolean {
  return a.width === b.width && a.sections[0]?.kind === b.sections[0]?.kind
}

export function rowAt(layout: Layout, index: number): Row {
  const section = layout.sections.findLast(({ firstRow }) => firstRow <= index) as Section
  const { kind, heading, start, count, columns, firstRow, top, headingHeight, rowHeight } = section
  const line = index - firstRow - (heading === undefined ? 0 : 1)
  if (line < 0) return { kind: 'heading', heading, start, end: start, top, columns: 1 }
  const first = start + line * columns
  const end = Math.min(start + count, first + columns)
  return { kind, start: first, end, top: top + headingHeight + line * rowHeight, columns }
}

export function sectionOf({ sections }: Layout, index: number): Section | undefined {
  return sections.findLast(({ start }) => start <= index)
}

/** Returns the row of an item, or -1 if there are no items. */
export function rowOfItem(layout: Layout, index: number): number {
  const section = sectionOf(layout, index)
  if (!section) return -1
  return (
    section.firstRow + (section.heading === undefined ? 0 : 1) + Math.floor((index - section.start) / section.columns)
  )
}

/** Returns the row at a distance from the top, or the nearest one. */
export function rowAtHeight({ sections, rowCount }: Layout, y: number): number {
  const section = sections.findLast(({ top }) => top <= y) ?? sections[0]
  if (!section) return 0
  const heading = section.heading === undefined ? 0 : 1
  const line = Math.floor((y - section.top - section.headingHeight) / section.rowHeight)
  return Math.min(rowCount - 1, Math.max(section.firstRow, section.firstRow + heading + Math.max(-1, line)))
}

/** Returns the position and size of an item, in pixels from the corner of the grid. */
export function boxOf(layout: Layout, index: number): Box {
  const { kind, start, columns, top } = rowAt(layout, rowOfItem(layout, index))
  const section = sectionOf(layout, index) as Section
  const width = (layout.width - section.gap * (columns - 1)) / columns
  const height = section.rowHeight - (kind === 'list' ? 0 : section.gap)
  return { left: (index - start) * (width + section.gap), top, width, height }
}

/** Yields the items that a frame touches, as index ranges whose end is not included. */
export function* rangesIn(layout: Layout, frame: Box): Generator<[start: number, end: number]> {
  const [right, bottom] = [frame.left + frame.width, frame.top + frame.height]
  for (const { start, count, columns, gap, rowHeight, headingHeight, top } of layout.sections) {
    const cell = (layout.width - gap * (columns - 1)) / columns
    const first = Math.max(0, Math.ceil((frame.left - cell) / (cell + gap)))
    const last = Math.min(columns - 1, Math.floor(right / (cell + gap)))
    const from = Math.max(0, Math.ceil((frame.top - top - headingHeight - rowHeight + gap) / rowHeight))
    const to = Math.min(Math.ceil(count / columns) - 1, Math.floor((bottom - top - headingHeight) / rowHeight))
    if (last < first) continue
    for (let line = from; line <= to; line++) {
      const begin = start + line * columns
      const end = Math.min(begin + last + 1, start + count)
      if (begin + first < end) yield [begin + first, end]
    }
  }
}

/**
 * Returns the index of the first item in view that hasn't loaded. `rows` are those in the document. The row of the active
 * item may be among them although it is out of view; it is ignored.
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
