import type { Item } from '@alcove/contract/items'
import { plural } from '../lib/format.ts'
import { ItemName } from '../ui/ItemName.tsx'
import { ChoiceMenu } from './ChoiceMenu.tsx'
import type { Everything, ItemActions } from './item-actions.ts'
import { menuFor, menuForMany } from './item-menu.ts'

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

/** The one menu of all items of a list: by right click, by the keyboard, or by an item's own button. */
export function ItemMenu({ open, actions, onClose }: ItemMenuProps) {
  if (!open) return null
  const { item, items = [item], everything, x, y } = open
  const count = everything?.count ?? items.length
  const isMany = count > 1
  return (
    <ChoiceMenu
      key={`${item.id} ${x} ${y}`}
      label={`Actions for ${isMany ? plural(count, 'item') : item.name}`}
      heading={isMany ? plural(count, 'item') : <ItemName name={item.name} />}
      hasHeading={isMany}
      groups={isMany ? menuForMany(items, actions, everything) : menuFor(item, actions)}
      x={x}
      y={y}
      onClose={onClose}
    />
  )
}
