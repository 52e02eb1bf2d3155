import type { Item } from '@alcove/contract/items'
import {
  IconArrowsMove,
  IconDownload,
  IconFolderOpen,
  IconHeart,
  IconHeartOff,
  IconPencil,
  IconTrash,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ItemActions } from './item-actions.ts'

export interface MenuChoice {
  readonly label: string
  readonly Icon: TablerIcon
  readonly run: (item: Item) => void
  readonly isDangerous?: boolean
}

/** The menu of an item of the drive, in groups that a line parts. */
export function menuFor(item: Item, actions: ItemActions): MenuChoice[][] {
  const open = { label: 'Open', Icon: IconFolderOpen, run: actions.open }
  const { toggleFavorite } = actions
  return [
    [
      ...(item.type === 'folder' ? [open] : []),
      { label: 'Rename', Icon: IconPencil, run: actions.rename },
      { label: 'Download', Icon: IconDownload, run: actions.download },
      { label: 'Move', Icon: IconArrowsMove, run: actions.move },
      { label: 'Delete', Icon: IconTrash, run: actions.remove, isDangerous: true },
    ],
    ...(toggleFavorite ? [[favoriteChoice(item, toggleFavorite)]] : []),
  ]
}

function favoriteChoice({ isFavorite }: Item, run: (item: Item) => void): MenuChoice {
  return isFavorite
    ? { label: 'Remove From Favorites', Icon: IconHeartOff, run }
    : { label: 'Add to Favorites', Icon: IconHeart, run }
}
