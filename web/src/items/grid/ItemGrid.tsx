import type { Item } from '@alcove/contract/items'
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import { useCanHover } from '../../lib/use-media.ts'
import { isFocusInDialog } from '../../ui/dialogs/open-layers.ts'
import type { DropItems } from '../drag/use-item-drag.ts'
import type { ItemActions } from '../item-actions.ts'
import { countFolders, type ItemList, itemAt } from '../lists/item-lists.ts'
import type { Sort } from '../lists/item-order.ts'
import type { OpenMenu } from '../menu/ItemMenu.tsx'
import { isSelected } from '../selection.ts'
import { type TileParts, useTileHandlers } from '../tiles/tile-handlers.ts'
import { useTileTools } from '../tiles/use-tile.ts'
import type { SelectionControl } from '../use-selection.ts'
import { cellOf, useActiveItem, useKeptFocus } from './active-item.ts'
import { useArrivedItem, usePreviewedItem } from './arrivals.ts'
import { GridRow } from './GridRow.tsx'
import { useItemKeys, usePageKeys } from './grid-keys.ts'
import { usePagePlace, useRowHeights } from './grid-measures.ts'
import styles from './ItemGrid.module.css'
import { ListHeader } from './ListRows.tsx'
import { firstMissing, layOut, rowAt, type View } from './layout.ts'
import { scrollToItem, useIsScrolling, useVisibleRows } from './scrolling.ts'
import { useMarquee } from './use-marquee.ts'

const gridLateParts = lazyModule(() => import('./GridLateParts.tsx'), 'soon')
const itemMenu = lazyModule(() => import('../menu/ItemMenu.tsx'), 'soon')

interface ItemGridProps {
  readonly label: string
  readonly list: ItemList
  readonly view?: View
  /** The order, if the column headers can change it. */
  readonly sort?: Sort
  readonly onSort?: (sort: Sort) => void
  readonly selection: SelectionControl
  readonly actions: ItemActions
  /** The item that gets the focus when the list shows. */
  readonly arrivalId?: string
  /** A new key focuses the item again, even if it is the same one. */
  readonly arrivalKey?: string
  /** The folder that Back led from. It gets the focus if it is in the list. */
  readonly leftId?: string | undefined
  /** Absent, like dropping files, where the user may not. */
  readonly onMoveInto: DropItems | undefined
  readonly onDropFiles: ((folderId: string, items: DataTransferItem[]) => void) | undefined
  /** The file that the preview over the page shows. */
  readonly previewId?: string | undefined
  /** Goes to the parent folder; absent at the root. */
  readonly onUp?: () => void
  /** Called with whether the grid waits for items that haven't loaded. */
  readonly onWant?: (isWanting: boolean) => void
  /** Called with the first index in view whose item hasn't loaded. */
  readonly onMiss?: (index: number | undefined) => void
  readonly parts?: TileParts
}

/** The height of the list view's column headers, which are sticky, in pixels. */
const LIST_HEADER = 44

const noSort = () => {}

/** Finds the grid that the page shows until the program has loaded (`first-look/`). */
const findFirstLook = () => globalThis.document?.querySelector('#first-look [role=rowgroup]') ?? null

/** Folders and files as tiles or as a list. Only the rows in view are in the document, however many there are. */
export function ItemGrid(props: ItemGridProps) {
  const {
    label,
    list,
    view = 'grid',
    sort,
    onSort = noSort,
    selection,
    actions,
    arrivalId,
    leftId,
    onUp,
    onWant,
    onMiss,
  } = props
  const grid = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [menu, setMenu] = useState<OpenMenu>()
  const [isSeeking, setSeeking] = useState(false)
  const { width, top } = usePagePlace(body, findFirstLook)
  const heights = useRowHeights(body, width, findFirstLook)
  const folderCount = countFolders(list)
  const layout = useMemo(
    () => layOut(view, list.total, folderCount, width, heights),
    [view, list.total, folderCount, width, heights],
  )
  const { activeIndex, activate, focusRequest, requestFocus } = useActiveItem(list)
  const canHover = useCanHover()
  const isScrolling = useIsScrolling()
  // With a mouse, nobody sees the buttons of tiles that scroll past. They are half of what a tile costs.
  const hasTools = useTileTools() && !(canHover && isScrolling)
  const late = useLazyModule(gridLateParts, false)
  const menuPart = useLazyModule(itemMenu, menu !== undefined)
  const rows = useVisibleRows(layout, top, activeIndex)
  const wasPreviewed = usePreviewedItem(list, props.previewId, (index) => {
    if (index !== activeIndex) requestFocus(index)
  })
  const chosen = (item: Item) => (isSelected(selection.current(), item.id) ? selection.items() : [item])
  const everything = (item: Item) => (isSelected(selection.current(), item.id) ? selection.everything() : undefined)
  const { toggleFavorite, remove } = actions

  function openMenu(item: Item, x: number, y: number, isOnItem: boolean) {
    if (isOnItem && !isSelected(selection.current(), item.id)) selection.choose(item.id)
    setMenu({ item, items: chosen(item), everything: everything(item), x, y })
  }

  const handlers = useTileHandlers({
    onActivate(index) {
      activate(index)
      const item = itemAt(list, index)
      if (item && wasPreviewed() && selection.count === 1) selection.choose(item.id)
    },
    onPress(item, index, { isTouch, isRepeated, shiftKey, ctrlKey, metaKey }) {
      // The first tap of two may have put the item there.
      if (isTouch) return selection.count > 0 ? selection.toggle(item.id) : isRepeated || actions.open(item)
      if (shiftKey) selection.selectTo(index)
      else if (ctrlKey || metaKey) selection.toggle(item.id)
      else selection.choose(item.id)
    },
    onLongPress(item) {
      if (!isSelected(selection.current(), item.id)) selection.toggle(item.id)
    },
    onToggle: ({ id }) => selection.toggle(id),
    onOpen: actions.open,
    // Touch screens show no buttons for these, only the menu.
    onRename: canHover ? actions.rename : undefined,
    onRemove: canHover && remove ? (item) => remove([item]) : undefined,
    onToggleFavorite: toggleFavorite && ((item) => toggleFavorite([item], !item.isFavorite)),
    onMenu: openMenu,
    getDragged: chosen,
    onMoveInto: props.onMoveInto,
    onDropFiles: props.onDropFiles,
  })

  const onKeyDown = useItemKeys({
    list,
    layout,
    activeIndex,
    selection,
    onMove: requestFocus,
    onOpen: actions.open,
    onRename: actions.rename,
    onMenu(item, cell) {
      const { left, top } = cell.getBoundingClientRect()
      openMenu(item, left + 24, top + 24, true)
    },
    onUp,
    onSeek: setSeeking,
  })
  usePageKeys({ onSelectAll: selection.all, onClear: selection.clear })
  useMarquee({ body, frame, list, layout, selection, onEnd: (index) => requestFocus(index, false) })
  const { isSought, markedId } = useArrivedItem(list, arrivalId ?? leftId, props.arrivalKey, (index) => {
    if (arrivalId !== undefined) requestFocus(index)
    // The page is scrolled to where it was, and what has the focus by then keeps it.
    else if (document.activeElement === document.body) requestFocus(index, false)
  })

  const missing = firstMissing(list, layout, rows)
  const tellMissing = useEffectEvent(() => onMiss?.(missing))
  // biome-ignore lint/correctness/useExhaustiveDependencies: reports each change
  useEffect(() => tellMissing(), [missing])
  const isWanting =
    list.nextCursor !== null && (isSeeking || (isSought && arrivalId !== undefined) || selection.isReaching())
  const tellWanting = useEffectEvent(() => onWant?.(isWanting))
  // biome-ignore lint/correctness/useExhaustiveDependencies: reports each change
  useEffect(() => tellWanting(), [isWanting])

  const keptFocus = useKeptFocus(grid, activeIndex)
  // The row of the active item is always in the document, so it can be focused at once.
  const isThere = focusRequest !== undefined && itemAt(list, focusRequest.index) !== undefined
  const handled = useRef<typeof focusRequest>(undefined)
  const focusItem = useEffectEvent(() => {
    if (!focusRequest || width === 0) return
    const { index, isScrolling } = focusRequest
    const cell = cellOf(grid.current, index)
    // When the item loads, or another order has put another one at its index, the focus may be elsewhere.
    if (handled.current === focusRequest && document.activeElement !== cell) return
    handled.current = focusRequest
    if (isScrolling) scrollToItem(layout, top, index, view === 'list' ? LIST_HEADER : 0)
    if (!isFocusInDialog()) cell?.focus({ preventScroll: true })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each request, and again when its item has loaded
  useLayoutEffect(() => focusItem(), [focusRequest, isThere, width === 0])

  const { count } = selection
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a grid of tiles is not a table */}
      <div
        ref={grid}
        className={styles.grid}
        role="grid"
        aria-label={label}
        aria-multiselectable
        aria-rowcount={view === 'list' ? list.total + 1 : layout.rowCount}
        tabIndex={-1}
        data-selecting={count > 0 || undefined}
        onKeyDown={onKeyDown}
        {...keptFocus}
      >
        {view === 'list' && (
          <ListHeader
            sort={sort}
            onSort={onSort}
            selected={count === 0 ? 'none' : count === list.total ? 'all' : 'some'}
            onSelectAll={(isAll) => (isAll ? selection.all() : selection.clear())}
          />
        )}
        {/* biome-ignore lint/a11y/useSemanticElements: a grid of tiles is not a table */}
        <div ref={body} role="rowgroup" className={styles.body} style={{ height: layout.height }}>
          {width > 0 &&
            rows.map((row) => (
              <GridRow
                key={`${view} ${row}`}
                row={rowAt(layout, row)}
                rowIndex={row}
                list={list}
                activeIndex={activeIndex}
                selection={selection.selection}
                markedId={markedId}
                handlers={handlers}
                hasTools={hasTools}
                parts={props.parts}
              />
            ))}
          <div ref={frame} className={styles.frame} hidden />
        </div>
      </div>
      {late && <late.GridLateParts within={grid} body={body} list={list} layout={layout} rows={rows} />}
      {menuPart && (
        <menuPart.ItemMenu
          open={menu}
          actions={actions}
          onClose={() => {
            if (menu) itemOf(grid.current, menu.item.id)?.focus({ preventScroll: true })
            setMenu(undefined)
          }}
        />
      )}
    </>
  )
}

function itemOf(grid: HTMLElement | null, id: string): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-item-id="${CSS.escape(id)}"]`) ?? null
}
