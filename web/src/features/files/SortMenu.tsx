import { Button, Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Sort, SortField } from '../../items/lists/item-order.ts'
import { Dropdown } from '../../ui/Dropdown.tsx'
import styles from './FolderToolbar.module.css'

const labels: Record<SortField, string> = { name: 'Name', size: 'Size', updatedAt: 'Modified', type: 'Type' }

interface SortMenuProps {
  readonly sort: Sort
  readonly onChange: (sort: Sort) => void
}

/** By what files are sorted, and which way round. */
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
          aria-label={`Sort by: ${labels[sort.field]}, ${way}`}
          rightSection={<Arrow size={16} stroke={1.75} />}
        >
          {labels[sort.field]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={sort.field} onChange={(field) => onChange({ ...sort, field: field as SortField })}>
          {(Object.keys(labels) as SortField[]).map((field) => (
            <Menu.RadioItem closeMenuOnClick key={field} value={field}>
              {labels[field]}
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
