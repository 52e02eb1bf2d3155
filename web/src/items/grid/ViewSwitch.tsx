import { SegmentedControl, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconLayoutGrid, IconList, type TablerIcon } from '@tabler/icons-react'
import { useIsPainted } from '../../lib/use-is-painted.ts'
import type { View } from './layout.ts'
import styles from './ViewSwitch.module.css'

interface ViewSwitchProps {
  readonly view: View
  readonly onChange: (view: View) => void
}

/** Tiles or a list. */
export function ViewSwitch({ view, onChange }: ViewSwitchProps) {
  // It measures itself, and with that has the whole first screen laid out an extra time.
  if (!useIsPainted()) return <div className={styles.place} />
  return (
    <SegmentedControl
      aria-label="View"
      classNames={styles}
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
