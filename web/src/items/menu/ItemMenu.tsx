import type { Item } from '@alcove/contract/items'
import { plural } from '../../lib/format.ts'
import { ItemName } from '../../ui/ItemName.tsx'
import type { Everything, ItemActions } from '../item-actions.ts'
import { allowedActions } from './allowed-actions.ts'
import { ChoiceMenu } from './ChoiceMenu.tsx'
import { menuFor, menuForMany } from './item-menu.ts'

/** An open menu: its item, and its position in the window. */
export interface OpenMenu {
  readonly item: Item
  /** All selected items, if `item` is one of them. */
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

/** The menu of a list's items, opened by right click, by the keyboard or by an item's button. */
export function ItemMenu({ open, actions, onClose }: ItemMenuProps) {
  if (!open) return null
  const { item, items = [item], everything, x, y } = open
  const count = everything?.count ?? items.length
  const isMany = count > 1
  const allowed = allowedActions(items, actions)
  return (
    <ChoiceMenu
      key={`${item.id} ${x} ${y}`}
      label={`Actions for ${isMany ? plural(count, 'item') : item.name}`}
      heading={isMany ? plural(count, 'item') : <ItemName name={item.name} />}
      hasHeading={isMany}
      groups={isMany ? menuForMany(items, allowed, everything) : menuFor(item, allowed)}
      x={x}
      y={y}
      onClose={onClose}
    />
  )
}
