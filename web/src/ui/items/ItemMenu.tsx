import type { Item } from '@alcove/contract/items'
import { Menu } from '@mantine/core'
import { Fragment } from 'react'
import styles from './ItemMenu.module.css'
import type { ItemActions } from './item-actions.ts'
import { menuFor } from './item-menu.ts'

/** A menu that is open: whose it is, and where in the window. */
export interface OpenMenu {
  readonly item: Item
  readonly x: number
  readonly y: number
}

interface ItemMenuProps {
  readonly open: OpenMenu | undefined
  readonly actions: ItemActions
  readonly onClose: () => void
}

/** The one menu of all items of a grid: by right click, by the keyboard, or by an item's own button. */
export function ItemMenu({ open, actions, onClose }: ItemMenuProps) {
  if (!open) return null
  return (
    <Menu
      key={`${open.item.id} ${open.x} ${open.y}`}
      defaultOpened
      position="bottom-start"
      offset={4}
      onClose={onClose}
      returnFocus={false}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      // Not 'keydown': the key that opens the menu would close it again.
      clickOutsideEvents={['mousedown', 'touchstart']}
    >
      <Menu.Target>
        <button
          type="button"
          className={styles.anchor}
          style={{ left: open.x, top: open.y }}
          tabIndex={-1}
          aria-label={`Actions for ${open.item.name}`}
        />
      </Menu.Target>
      <Menu.Dropdown onContextMenu={(event) => event.preventDefault()}>
        {menuFor(open.item, actions).map((group, groupIndex) => (
          <Fragment key={group[0]?.label}>
            {groupIndex > 0 && <Menu.Divider />}
            {group.map(({ label, Icon, run, isDangerous }, index) => (
              <Menu.Item
                key={label}
                data-autofocus={groupIndex + index === 0 || undefined}
                color={isDangerous ? 'var(--alcove-danger)' : undefined}
                leftSection={<Icon size={18} stroke={1.75} />}
                onClick={() => run(open.item)}
              >
                {label}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
