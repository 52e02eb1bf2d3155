import { Button, Menu, SegmentedControl, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconLayoutGrid, IconList, type TablerIcon } from '@tabler/icons-react'
import { updateSession, useSession } from '../../api/session.ts'
import type { View } from '../../items/grid/layout.ts'
import { readSort, type Sort, type SortField, writeSort } from '../../items/lists/item-order.ts'
import { useIsPainted } from '../../lib/after-paint.ts'
import { Dropdown } from '../../ui/Dropdown.tsx'
import styles from './ViewOptions.module.css'

const sortLabels: Record<SortField, string> = { name: 'Name', size: 'Size', modifiedAt: 'Modified', type: 'Type' }

interface SortMenuProps {
  readonly sort: Sort
  readonly onChange: (sort: Sort) => void
}

/** Chooses the field and the direction by which items are sorted. */
export function SortMenu({ sort, onChange }: SortMenuProps) {
  const Arrow = sort.order === 'asc' ? IconArrowUp : IconArrowDown
  const way = sort.order === 'asc' ? 'ascending' : 'descending'
  return (
    <Dropdown position="bottom-end" width={200}>
      <Menu.Target>
        <Button
          className={styles.sort}
          variant="subtle"
          size="xs"
          aria-label={`Sort by: ${sortLabels[sort.field]}, ${way}`}
          rightSection={<Arrow size={16} stroke={1.75} />}
        >
          {sortLabels[sort.field]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={sort.field} onChange={(field) => onChange({ ...sort, field: field as SortField })}>
          {(Object.keys(sortLabels) as SortField[]).map((field) => (
            <Menu.RadioItem closeMenuOnClick key={field} value={field}>
              {sortLabels[field]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.RadioGroup value={sort.order} onChange={(order) => onChange({ ...sort, order: order as Sort['order'] })}>
          <Menu.RadioItem closeMenuOnClick value="asc">
            Ascending
          </Menu.RadioItem>
          <Menu.RadioItem closeMenuOnClick value="desc">
            Descending
          </Menu.RadioItem>
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Dropdown>
  )
}

interface ViewSwitchProps {
  readonly view: View
  readonly onChange: (view: View) => void
}

/** Switches between tiles and a list. */
export function ViewSwitch({ view, onChange }: ViewSwitchProps) {
  // The control measures itself, which would force an extra layout of the first screen.
  if (!useIsPainted()) return <div className={styles.place} />
  return (
    <SegmentedControl
      aria-label="View"
      classNames={{ root: styles.root, indicator: styles.indicator, control: styles.control, label: styles.label }}
      value={view}
      onChange={(value) => onChange(value as View)}
      data={[choice('grid', 'Grid', IconLayoutGrid), choice('list', 'List', IconList)]}
    />
  )
}

function choice(value: View, name: string, Icon: TablerIcon) {
  return {
    value,
    label: (
      <Tooltip label={name}>
        <span style={{ display: 'grid', placeItems: 'center', height: '100%' }}>
          <Icon size={18} stroke={1.75} aria-hidden />
          <VisuallyHidden>{name}</VisuallyHidden>
        </span>
      </Tooltip>
    ),
  }
}

/** Returns the order that the user has chosen, and a setter. The browser remembers it. */
export function useSort(): [Sort, (sort: Sort) => void] {
  const { fileSort } = useSession()
  return [readSort(fileSort), setSort]
}

function setSort(sort: Sort): void {
  updateSession({ fileSort: writeSort(sort) })
}

/** Returns the view that the user has chosen, and a setter. The browser remembers it. */
export function useView(): [View, (view: View) => void] {
  const { fileView } = useSession()
  return [fileView === 'list' ? 'list' : 'grid', setView]
}

function setView(view: View): void {
  updateSession({ fileView: view })
}
