import type { Folder, Item } from '@alcove/contract/items'
import { VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { memo, type RefObject } from 'react'
import { formatDayWithYear } from '../../lib/format.ts'
import { FileTypeSquare } from '../../ui/FileTypeSquare.tsx'
import { FolderGlyph } from '../../ui/FolderGlyph.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import { describeFolder, describeSize, modifiedOf } from '../lists/describe-item.ts'
import type { Sort, SortField } from '../lists/item-order.ts'
import { isMount } from '../mounts.ts'
import { Thumbnail } from '../tiles/Thumbnail.tsx'
import controls from '../tiles/TileControls.module.css'
import { FavoriteButton, MountSign, SelectBox, SharedSign, TileActions } from '../tiles/TileControls.tsx'
import { type TileProps, useFolderDrop, useTile } from '../tiles/use-tile.ts'
import styles from './ListRows.module.css'

/** A file or folder in the list view. */
export const ItemRow = memo(function ItemRow(props: TileProps<Item>) {
  const { item, index, isActive, isSelected, handlers, hasTools, parts } = props
  const folder = item.type === 'folder' ? describeFolder(item) : undefined
  const size = item.type === 'file' ? describeSize(item) : folder?.contents
  const modified = formatDayWithYear(modifiedOf(item))
  const details = [size, folder?.modified ?? modified].filter(Boolean).join(' · ')
  const row = useTile(
    props,
    `${item.name}, ${details}${folder ? ', folder' : ''}${item.isShared || isMount(item) ? ', shared' : ''}`,
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: its focus comes with `row`
    <div {...row} role="row" aria-rowindex={index + 2} data-shape="row" className={styles.row}>
      {item.type === 'folder' && <FolderTarget row={row.ref} folder={item} handlers={handlers} />}
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the row takes the focus */}
      <div role="gridcell" className={styles.box}>
        <SelectBox item={item} isActive={isActive} isSelected={isSelected} onToggle={handlers.onToggle} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the row takes the focus */}
      <div role="rowheader" className={styles.what}>
        <span className={styles.icon}>
          {item.type === 'folder' ? (
            <FolderGlyph size={32} isVault={item.isEncrypted} />
          ) : parts ? (
            <parts.Picture file={item} isSmall />
          ) : (
            <Thumbnail file={item} fallback={<FileTypeSquare filename={item.name} />} size={256} />
          )}
        </span>
        <span className={styles.text}>
          <span className={styles.title}>
            <ItemName name={item.name} className={styles.name} />
            {item.isShared && <SharedSign />}
            {isMount(item) && <MountSign />}
          </span>
          <span className={styles.details}>{details}</span>
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the row takes the focus */}
      <div role="gridcell" className={styles.size}>
        {size}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the row takes the focus */}
      <div role="gridcell" className={styles.modified}>
        {modified}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the row takes the focus */}
      <div role="gridcell" className={styles.tools}>
        {parts && item.type === 'file' && <parts.Foot file={item} isActive={isActive} isSmall />}
        {hasTools && <TileActions item={item} isActive={isActive} handlers={handlers} />}
        {handlers.onToggleFavorite && (hasTools || item.isFavorite) && (
          <FavoriteButton item={item} isActive={isActive} onToggle={handlers.onToggleFavorite} />
        )}
      </div>
    </div>
  )
})

interface FolderTargetProps {
  readonly row: RefObject<HTMLDivElement | null>
  readonly folder: Folder
  readonly handlers: TileProps<Item>['handlers']
}

/** Shows what a drop would do while items that the folder accepts are dragged over its row. */
function FolderTarget({ row, folder, handlers }: FolderTargetProps) {
  const target = useFolderDrop(row, folder, handlers)
  return target === undefined ? null : <span className={styles.target}>{target}</span>
}

interface ListHeaderProps {
  /** Undefined if the order can't be changed. */
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort) => void
  readonly selected: 'none' | 'some' | 'all'
  readonly onSelectAll: (isAll: boolean) => void
}

const columns = [
  { field: 'name', label: 'Name', className: styles.what },
  { field: 'size', label: 'Size', className: styles.size },
  { field: 'modifiedAt', label: 'Modified', className: styles.modified },
] as const

/** The column headers of the list view: they sort, and select everything. */
export function ListHeader({ sort, onSort, selected, onSelectAll }: ListHeaderProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: a row of a grid that is not a table
    <div role="row" aria-rowindex={1} className={`${styles.row} ${styles.header}`}>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: its check box takes the focus */}
      <div role="columnheader" className={styles.box}>
        <label className={controls.label}>
          <input
            ref={(input) => {
              if (input) input.indeterminate = selected === 'some'
            }}
            className={controls.input}
            type="checkbox"
            aria-label="Select all"
            checked={selected === 'all'}
            onChange={(event) => onSelectAll(event.currentTarget.checked)}
          />
          <Tick />
        </label>
      </div>
      {columns.map(({ field, label, className }) => (
        // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: its button takes the focus
        <div
          key={field}
          role="columnheader"
          aria-sort={sort?.field === field ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined}
          className={className}
        >
          {sort ? <SortButton field={field} label={label} sort={sort} onSort={onSort} /> : label}
        </div>
      ))}
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: a header for screen readers */}
      <div role="columnheader" className={styles.tools}>
        <VisuallyHidden>Actions</VisuallyHidden>
      </div>
    </div>
  )
}

function Tick() {
  return (
    <svg className={controls.tick} width="14" height="14" viewBox="0 0 24 24" aria-hidden="true">
      <path d="m5 12 5 5L20 7" fill="none" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}

interface SortButtonProps {
  readonly field: SortField
  readonly label: string
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

/** Sorts by its column, or reverses the order if the list is sorted by it already. */
function SortButton({ field, label, sort, onSort }: SortButtonProps) {
  const isCurrent = sort.field === field
  const Arrow = sort.order === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <button
      type="button"
      className={styles.sort}
      data-current={isCurrent || undefined}
      onClick={() => onSort({ field, order: isCurrent && sort.order === 'asc' ? 'desc' : 'asc' })}
    >
      {label}
      {isCurrent && <Arrow size={16} stroke={1.75} aria-hidden />}
    </button>
  )
}
