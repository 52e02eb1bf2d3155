import type { Item } from '@alcove/contract/items'
import { IconDots, IconDotsVertical, IconPencil, IconTrash } from '@tabler/icons-react'
import { TileButton } from './TileButton.tsx'
import styles from './tiles.module.css'

interface TileActionsProps {
  readonly item: Item
  /** Only the buttons of the tile that has the keyboard are in its reach, or Tab would pass through thousands. */
  readonly isActive: boolean
  readonly onRename: () => void
  readonly onRemove: () => void
  /** Given the place of the button, where the menu opens. */
  readonly onMenu: (x: number, y: number) => void
}

/** The buttons of a tile. They come with hover and focus; a touch screen has the menu's button alone, always. */
export function TileActions({ item: { name }, isActive, onRename, onRemove, onMenu }: TileActionsProps) {
  const tabIndex = isActive ? 0 : -1
  return (
    // A double click here is two clicks on a button, and not one on the tile.
    // biome-ignore lint/a11y/noStaticElementInteractions: stops events, does nothing
    <div className={styles.actions} onDoubleClick={(event) => event.stopPropagation()}>
      <TileButton className={styles.action} label={`Rename ${name}`} tabIndex={tabIndex} onClick={onRename}>
        <IconPencil size={18} stroke={1.75} />
      </TileButton>
      <TileButton className={styles.action} label={`Delete ${name}`} tabIndex={tabIndex} onClick={onRemove}>
        <IconTrash size={18} stroke={1.75} />
      </TileButton>
      <TileButton
        className={styles.more}
        label={`More actions for ${name}`}
        aria-haspopup="menu"
        tabIndex={tabIndex}
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect()
          onMenu(left, bottom)
        }}
      >
        <IconDots className={styles.dots} size={18} stroke={1.75} />
        <IconDotsVertical className={styles.dotsVertical} size={20} stroke={1.75} />
      </TileButton>
    </div>
  )
}
