import type { Item } from '@alcove/contract/items'
import { IconDots, IconDotsVertical, IconPencil, IconTrash } from '@tabler/icons-react'
import styles from './TileActions.module.css'
import { TileButton } from './TileButton.tsx'
import type { TileHandlers } from './use-tile-handlers.ts'

interface TileActionsProps {
  readonly item: Item
  /** Only the buttons of the tile that has the keyboard are in its reach, or Tab would pass through thousands. */
  readonly isActive: boolean
  readonly handlers: TileHandlers
}

/** The buttons of a tile. They come with hover and focus; a touch screen has the menu's button alone, always. */
export function TileActions({ item, isActive, handlers }: TileActionsProps) {
  const tabIndex = isActive ? 0 : -1
  return (
    <div className={styles.actions}>
      <TileButton
        className={styles.action}
        label={`Rename ${item.name}`}
        tabIndex={tabIndex}
        onClick={() => handlers.onRename(item)}
      >
        <IconPencil size={18} stroke={1.75} />
      </TileButton>
      <TileButton
        className={styles.action}
        label={`Delete ${item.name}`}
        tabIndex={tabIndex}
        onClick={() => handlers.onRemove(item)}
      >
        <IconTrash size={18} stroke={1.75} />
      </TileButton>
      <TileButton
        className={styles.more}
        label={`More actions for ${item.name}`}
        aria-haspopup="menu"
        tabIndex={tabIndex}
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect()
          handlers.onMenu(item, left, bottom, false)
        }}
      >
        <IconDots className={styles.dots} size={18} stroke={1.75} />
        <IconDotsVertical className={styles.dotsVertical} size={20} stroke={1.75} />
      </TileButton>
    </div>
  )
}
