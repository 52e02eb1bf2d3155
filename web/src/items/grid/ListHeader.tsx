import { VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Sort, SortField } from '../lists/item-order.ts'
import boxStyles from '../tiles/SelectBox.module.css'
import rowStyles from './ItemRow.module.css'
import styles from './ListHeader.module.css'

interface ListHeaderProps {
  /** Undefined where the order cannot be chosen. */
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort) => void
  readonly selected: 'none' | 'some' | 'all'
  readonly onSelectAll: (isAll: boolean) => void
}

const columns = [
  { field: 'name', label: 'Name', className: rowStyles.what },
  { field: 'size', label: 'Size', className: rowStyles.size },
  { field: 'updatedAt', label: 'Modified', className: rowStyles.modified },
] as const

/** The heads of the list view's columns: they sort, and select everything. */
export function ListHeader({ sort, onSort, selected, onSelectAll }: ListHeaderProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: a row of a grid that is no table
    <div role="row" aria-rowindex={1} className={`${rowStyles.row} ${styles.header}`}>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: its check box takes the focus */}
      <div role="columnheader" className={rowStyles.box}>
        <label className={boxStyles.label}>
          <input
            ref={(input) => {
              if (input) input.indeterminate = selected === 'some'
            }}
            className={boxStyles.input}
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
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: a head for readers */}
      <div role="columnheader" className={rowStyles.tools}>
        <VisuallyHidden>Actions</VisuallyHidden>
      </div>
    </div>
  )
}

function Tick() {
  return (
    <svg className={boxStyles.tick} width="14" height="14" viewBox="0 0 24 24" aria-hidden="true">
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

/** Sorts by its column; where that is so already, the other way round. */
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
