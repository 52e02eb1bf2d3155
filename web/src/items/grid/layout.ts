/** How items are shown. */
export type View = 'grid' | 'list'

/** What stands in a row: a heading, tiles of folders, tiles of files, or one item of a list. */
export type RowKind = 'heading' | 'folders' | 'files' | 'list'

/** Items of one kind, in rows of the same height. */
export interface Section {
  readonly kind: Exclude<RowKind, 'heading'>
  readonly heading?: string
  /** The index of its first item, and how many it has. */
  readonly start: number
  readonly count: number
  readonly columns: number
  readonly gap: number
  readonly rowHeight: number
  readonly headingHeight: number
  /** The number of its first row, the heading included, and where that starts. */
  readonly firstRow: number
  readonly top: number
}

/**
 * Where every item of a list is, worked out from a few numbers: rows of a kind are all equally high, so that nothing
 * here takes longer with more items.
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
  /** The items in it, as indexes; none in a heading. */
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

/** How high a row of each kind is, with the room below it. */
export type RowHeights = Readonly<Record<RowKind, number>>

/** How many tiles stand side by side in a grid of the given width in pixels. */
export function columnsFor(width: number): { readonly folders: number; readonly files: number } {
  if (width < 544) return { folders: 2, files: 2 }
  if (width < 688) return { folders: 2, files: 3 }
  if (width < 976) return { folders: 3, files: width < 806 ? 3 : 4 }
  return { folders: width < 1540 ? 4 : 5, files: Math.min(7, Math.max(5, Math.floor((width + 14) / 222))) }
}

const GAPS = { folders: 12, files: 14, list: 0 } as const

/** How high the rows are in the design's own text size, before any is measured. */
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

/** The row that an item stands in, or -1 where there are no items. */
export function rowOfItem(layout: Layout, index: number): number {
  const section = sectionOf(layout, index)
  if (!section) return -1
  return (
    section.firstRow + (section.heading === undefined ? 0 : 1) + Math.floor((index - section.start) / section.columns)
  )
}

/** The row at a height, or the nearest one. */
export function rowAtHeight({ sections, rowCount }: Layout, y: number): number {
  const section = sections.findLast(({ top }) => top <= y) ?? sections[0]
  if (!section) return 0
  const heading = section.heading === undefined ? 0 : 1
  const line = Math.floor((y - section.top - section.headingHeight) / section.rowHeight)
  return Math.min(rowCount - 1, Math.max(section.firstRow, section.firstRow + heading + Math.max(-1, line)))
}

/** Where an item is, in pixels from the corner of the grid. */
export function boxOf(layout: Layout, index: number): Box {
  const { kind, start, columns, top } = rowAt(layout, rowOfItem(layout, index))
  const section = sectionOf(layout, index) as Section
  const width = (layout.width - section.gap * (columns - 1)) / columns
  const height = section.rowHeight - (kind === 'list' ? 0 : section.gap)
  return { left: (index - start) * (width + section.gap), top, width, height }
}

/** The items that a frame touches, as ranges of indexes of which the second is not included. */
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
