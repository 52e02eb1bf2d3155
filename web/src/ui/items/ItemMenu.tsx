import type { Item } from '@alcove/contract/items'
import { Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Fragment, type ReactNode } from 'react'
import { plural } from '../../lib/format.ts'
import { later, useLater } from '../../lib/later.ts'
import { ItemName } from '../ItemName.tsx'
import styles from './ItemMenu.module.css'
import type { Everything, ItemActions } from './item-actions.ts'
import { type MenuChoice, menuFor, menuForMany } from './item-menu.ts'

const sheet = later(() => import('./ItemMenuSheet.tsx'))

/** A menu that is open: whose it is, and where in the window. */
export interface OpenMenu {
  readonly item: Item
  /** All that is meant, where `item` is one of several that are selected. */
  readonly items?: readonly Item[]
  readonly everything?: Everything
  readonly x: number
  readonly y: number
}

interface ItemMenuProps {
  readonly open: OpenMenu | undefined
  readonly actions: ItemActions
  readonly onClose: () => void
}

/** Where a menu is a sheet at the lower edge: on phones, and wherever a finger does the pointing. */
const SHEET = '(max-width: 35.99em), (pointer: coarse)'

/** The one menu of all items of a list: by right click, by the keyboard, or by an item's own button. */
export function ItemMenu({ open, actions, onClose }: ItemMenuProps) {
  const isSheet = useMediaQuery(SHEET, undefined, { getInitialValueInEffect: false })
  const sheetPart = useLater(sheet, isSheet && open !== undefined)
  if (!open) return null
  const { item, items = [item], everything } = open
  const count = everything?.count ?? items.length
  const groups = count > 1 ? menuForMany(items, actions, everything) : menuFor(item, actions)
  const heading = count > 1 ? plural(count, 'item') : <ItemName name={item.name} />
  const label = `Actions for ${count > 1 ? plural(count, 'item') : item.name}`
  if (isSheet) {
    return sheetPart ? (
      <sheetPart.ItemMenuSheet label={label} heading={heading} groups={groups} onClose={onClose} />
    ) : null
  }
  return (
    <Menu
      key={`${item.id} ${open.x} ${open.y}`}
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
          aria-label={label}
        />
      </Menu.Target>
      <Menu.Dropdown onContextMenu={(event) => event.preventDefault()}>
        {count > 1 && <Menu.Label>{heading}</Menu.Label>}
        {groups.map((group, index) => (
          <Fragment key={group[0]?.label}>
            {index > 0 && <Menu.Divider />}
            {group.map((choice) => (
              <Choice key={choice.label} choice={choice} isFirst={choice === groups[0]?.[0]} />
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Choice({ choice, isFirst }: { readonly choice: MenuChoice; readonly isFirst: boolean }): ReactNode {
  const { label, Icon, run, isDangerous, reason, keys } = choice
  return (
    <Menu.Item
      data-autofocus={isFirst || undefined}
      color={isDangerous ? 'var(--alcove-danger)' : undefined}
      disabled={reason !== undefined}
      leftSection={<Icon size={18} stroke={1.75} />}
      rightSection={
        keys && (
          <kbd className={styles.keys} aria-hidden>
            {keys}
          </kbd>
        )
      }
      onClick={run}
    >
      {label}
      {reason && <span className={styles.reason}>{reason}</span>}
    </Menu.Item>
  )
}
