import type { File, Folder, Item } from '@alcove/contract/items'

/** What stands in one row of the grid. */
export type GridRow =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'folders'; readonly items: readonly Folder[] }
  | { readonly kind: 'files'; readonly items: readonly File[] }

export interface GridColumns {
  readonly folders: number
  readonly files: number
}

/** How many tiles stand side by side in a grid of the given width in pixels. */
export function columnsFor(width: number): GridColumns {
  if (width < 544) return { folders: 1, files: 2 }
  if (width < 688) return { folders: 2, files: 3 }
  if (width < 976) return { folders: 3, files: width < 806 ? 3 : 4 }
  return { folders: width < 1540 ? 4 : 5, files: Math.min(7, Math.max(5, Math.floor((width + 14) / 222))) }
}

/** The rows of a grid: folders first, each kind below its heading. */
export function layOutRows(folders: readonly Folder[], files: readonly File[], columns: GridColumns): GridRow[] {
  const rows: GridRow[] = []
  if (folders.length > 0) rows.push({ kind: 'heading', text: 'Folders' })
  for (const items of inRows(folders, columns.folders)) rows.push({ kind: 'folders', items })
  if (files.length > 0) rows.push({ kind: 'heading', text: 'Files' })
  for (const items of inRows(files, columns.files)) rows.push({ kind: 'files', items })
  return rows
}

function inRows<T>(items: readonly T[], columns: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / columns) }, (_, row) =>
    items.slice(row * columns, (row + 1) * columns),
  )
}

/** The row that an item stands in, or -1. */
export function rowOf(rows: readonly GridRow[], itemId: string | undefined): number {
  return rows.findIndex(
    (row) => row.kind !== 'heading' && (row.items as readonly Item[]).some(({ id }) => id === itemId),
  )
}
