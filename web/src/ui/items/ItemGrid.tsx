import type { File, Folder, Item } from '@alcove/contract/items'
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { usePagePlace } from '../../lib/use-page-place.ts'
import { FileTile } from './FileTile.tsx'
import { FolderTile } from './FolderTile.tsx'
import { GridTooltip } from './GridTooltip.tsx'
import { findNextItem } from './grid-focus.ts'
import { columnsFor, type GridRow, layOutRows, rowOf } from './grid-rows.ts'
import styles from './ItemGrid.module.css'
import { ItemMenu, type OpenMenu } from './ItemMenu.tsx'
import type { ItemActions } from './item-actions.ts'
import { useActiveItem } from './use-active-item.ts'
import { useGridRows } from './use-grid-rows.ts'
import { type TileHandlers, useTileHandlers } from './use-tile-handlers.ts'

interface ItemGridProps {
  readonly label: string
  readonly folders: readonly Folder[]
  readonly files: readonly File[]
  readonly actions: ItemActions
  /** The item that the keyboard starts at, where the user came here by keyboard. */
  readonly arrivalId?: string
  readonly onMoveInto: (item: Item, folderId: string | undefined) => void
  readonly onDropFiles: (folderId: string, items: DataTransferItem[]) => void
}

/** Folders and files as tiles. Only the rows in view are in the document, however many there are. */
export function ItemGrid({ label, folders, files, actions, arrivalId, onMoveInto, onDropFiles }: ItemGridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const [menu, setMenu] = useState<OpenMenu>()
  const { width, top } = usePagePlace(grid)
  const columns = useMemo(() => columnsFor(width), [width])
  const rows = useMemo(() => layOutRows(folders, files, columns), [folders, files, columns])
  const items = useMemo(() => [...folders, ...files], [folders, files])
  const { activeId, setActiveId, focusRequest, requestFocus } = useActiveItem(items, arrivalId)
  const virtualizer = useGridRows({ rows, columns, width, top, activeRow: rowOf(rows, activeId) })
  const handlers = useTileHandlers({
    onActivate: ({ id }) => setActiveId(id),
    onOpen: actions.open,
    onRename: actions.rename,
    onRemove: actions.remove,
    onToggleFavorite: actions.toggleFavorite,
    onMenu: (item, x, y) => setMenu({ item, x, y }),
    onMoveInto,
    onDropFiles,
  })

  // The row of the active item is in the document even when it is out of view, so it can take the focus at once.
  const focusItem = useEffectEvent((id: string) => {
    virtualizer.scrollToIndex(rowOf(rows, id))
    cellOf(grid.current, id)?.focus({ preventScroll: true })
  })
  useEffect(() => {
    if (focusRequest) focusItem(focusRequest.id)
  }, [focusRequest])

  function handleKey(event: KeyboardEvent<HTMLElement>) {
    const item = items.find(({ id }) => id === activeId)
    const { target } = event
    if (!(target instanceof HTMLElement) || target.role !== 'gridcell') return
    if (!item || event.altKey || event.metaKey) return
    const cell = target.getBoundingClientRect()
    const commands: Record<string, () => void> = {
      Enter: () => actions.open(item),
      F2: () => actions.rename(item),
      Delete: () => actions.remove(item),
      ContextMenu: () => setMenu({ item, x: cell.left + 24, y: cell.top + 24 }),
    }
    const key = event.key === 'F10' && event.shiftKey ? 'ContextMenu' : event.key
    const next = findNextItem(rows, item.id, key, event.ctrlKey)
    if (!next && !commands[key]) return
    event.preventDefault()
    if (next) requestFocus(next.id)
    else commands[key]?.()
  }

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: tiles that are walked through with the arrows are no table */}
      <div
        ref={grid}
        className={styles.grid}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length}
        tabIndex={-1}
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={handleKey}
      >
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index]
          return (
            row && (
              // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: its cells take the focus
              <div
                key={key}
                ref={virtualizer.measureElement}
                role="row"
                aria-rowindex={index + 1}
                className={styles.row}
                data-index={index}
                data-kind={row.kind}
                style={{
                  transform: `translateY(${start - top}px)`,
                  gridTemplateColumns: `repeat(${row.kind === 'heading' ? 1 : columns[row.kind]}, minmax(0, 1fr))`,
                }}
              >
                <RowCells row={row} activeId={activeId} handlers={handlers} />
              </div>
            )
          )
        })}
      </div>
      <GridTooltip within={grid} />
      <ItemMenu
        open={menu}
        actions={actions}
        onClose={() => {
          if (menu) cellOf(grid.current, menu.item.id)?.focus({ preventScroll: true })
          setMenu(undefined)
        }}
      />
    </>
  )
}

interface RowCellsProps {
  readonly row: GridRow
  readonly activeId: string | undefined
  readonly handlers: TileHandlers
}

function RowCells({ row, activeId, handlers }: RowCellsProps) {
  switch (row.kind) {
    case 'heading':
      return (
        // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: a heading among the rows
        <div role="gridcell">
          <h2 className={styles.heading}>{row.text}</h2>
        </div>
      )
    case 'folders':
      return row.items.map((folder) => (
        <FolderTile key={folder.id} folder={folder} isActive={folder.id === activeId} handlers={handlers} />
      ))
    case 'files':
      return row.items.map((file) => (
        <FileTile key={file.id} file={file} isActive={file.id === activeId} handlers={handlers} />
      ))
  }
}

function cellOf(grid: HTMLElement | null, itemId: string): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-item-id="${CSS.escape(itemId)}"]`) ?? null
}
