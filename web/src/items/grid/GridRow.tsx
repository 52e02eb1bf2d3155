import { useState } from 'react'
import { type ItemList, itemAt } from '../lists/item-lists.ts'
import { isSelected, type Selection } from '../selection.ts'
import { SkeletonTile } from '../tiles/ItemSkeletons.tsx'
import { FileTile, FolderTile } from '../tiles/ItemTile.tsx'
import type { TileHandlers, TileParts } from '../tiles/tile-handlers.ts'
import styles from './ItemGrid.module.css'
import { ItemRow } from './ListRows.tsx'
import type { Row } from './layout.ts'

interface GridRowProps {
  readonly row: Row
  readonly rowIndex: number
  readonly list: ItemList
  readonly activeIndex: number
  readonly selection: Selection
  /** The item that the user was just led to. */
  readonly markedId: string | undefined
  readonly handlers: TileHandlers
  /** Whether tiles get their buttons now. */
  readonly hasTools: boolean
  readonly parts?: TileParts
}

/** A row of the layout at its position: a heading, some tiles, or one item of a list. */
export function GridRow(props: GridRowProps) {
  const { row, rowIndex, list, activeIndex, selection, markedId, handlers, parts } = props
  // Tiles keep the buttons that they have.
  const [hasTools, setTools] = useState(props.hasTools)
  if (props.hasTools && !hasTools) setTools(true)
  const { kind, heading, start, end, top, columns } = row
  const isLoaded = kind === 'heading' || itemAt(list, start) !== undefined
  // In the list view each item has the role of a row.
  const role = kind === 'list' ? { role: 'presentation' } : { role: 'row', 'aria-rowindex': rowIndex + 1 }
  return (
    <div
      {...role}
      className={styles.row}
      data-kind={kind}
      data-sample={isLoaded || undefined}
      style={{
        transform: `translateY(${top}px)`,
        gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
      }}
    >
      {kind === 'heading' ? (
        // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: a heading among the rows
        <div role="gridcell">
          <h2 className={styles.heading}>{heading}</h2>
        </div>
      ) : (
        Array.from({ length: end - start }, (_, place) => {
          const index = start + place
          const item = itemAt(list, index)
          const isActive = index === activeIndex
          if (!item) return <SkeletonTile key={index} kind={kind} index={index} isActive={isActive} />
          const state = { isActive, isSelected: isSelected(selection, item.id), isMarked: item.id === markedId }
          const tile = { index, ...state, handlers, hasTools, parts }
          if (kind === 'list') return <ItemRow key={item.id} item={item} {...tile} />
          return item.type === 'folder' ? (
            <FolderTile key={item.id} item={item} {...tile} />
          ) : (
            <FileTile key={item.id} item={item} {...tile} />
          )
        })
      )}
    </div>
  )
}
