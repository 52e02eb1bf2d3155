import type { Item } from '@alcove/contract/items'
import {
  IconCheck,
  IconDots,
  IconHeart,
  IconHeartFilled,
  IconLink,
  IconPencil,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'
import styles from './TileControls.module.css'
import type { TileHandlers } from './tile-handlers.ts'

interface TileActionsProps {
  readonly item: Item
  /** Tab reaches only the controls of the active tile, otherwise it would pass through thousands. */
  readonly isActive: boolean
  readonly handlers: TileHandlers
}

/** The buttons of a tile. They show on hover and focus; a touch screen always shows the menu button, and has no other. */
export function TileActions({ item, isActive, handlers }: TileActionsProps) {
  const { onRename, onRemove } = handlers
  const tabIndex = isActive ? 0 : -1
  return (
    <div className={styles.actions}>
      {onRename && !item.sharedBy && (
        <TileButton
          className={styles.action}
          label={`Rename ${item.name}`}
          tabIndex={tabIndex}
          onClick={() => onRename(item)}
        >
          <IconPencil size={18} stroke={1.75} />
        </TileButton>
      )}
      {onRemove && !item.sharedBy && (
        <TileButton
          className={styles.action}
          label={`Delete ${item.name}`}
          tabIndex={tabIndex}
          onClick={() => onRemove(item)}
        >
          <IconTrash size={18} stroke={1.75} />
        </TileButton>
      )}
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
      </TileButton>
    </div>
  )
}

interface FavoriteButtonProps {
  readonly item: Item
  readonly isActive: boolean
  readonly onToggle: (item: Item) => void
}

/** The heart of a tile. A set heart is always visible. */
export function FavoriteButton({ item, isActive, onToggle }: FavoriteButtonProps) {
  return (
    <TileButton
      className={styles.heart}
      label={`Favorite ${item.name}`}
      aria-pressed={item.isFavorite}
      tabIndex={isActive ? 0 : -1}
      onClick={() => onToggle(item)}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      {item.isFavorite ? <IconHeartFilled size={18} /> : <IconHeart size={18} stroke={1.75} />}
    </TileButton>
  )
}

interface SelectBoxProps {
  readonly item: Item
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly onToggle: (item: Item) => void
}

/** The check box of a tile or row: a plain element, because each tile has one. */
export function SelectBox({ item, isActive, isSelected, onToggle }: SelectBoxProps) {
  return (
    // The label makes the target as large as a fingertip.
    <label className={styles.label}>
      <input
        className={styles.input}
        type="checkbox"
        aria-label={`Select ${item.name}`}
        checked={isSelected}
        tabIndex={isActive ? 0 : -1}
        onChange={() => onToggle(item)}
      />
      <IconCheck className={styles.tick} size={14} stroke={3} aria-hidden />
    </label>
  )
}

/** Follows the name of an item whose public link is enabled. Screen readers get it from the tile's label. */
export function SharedSign() {
  return <IconLink className={styles.sign} size={14} stroke={1.75} aria-hidden />
}

/** Follows the name of a folder of somebody else that is placed here. */
export function MountSign() {
  return <IconUsers className={styles.sign} size={14} stroke={1.75} aria-hidden />
}

interface TileButtonProps extends ComponentPropsWithRef<'button'> {
  /** The accessible name, which the grid's tooltip shows too: what the button does, and to which item. */
  readonly label: string
}

/**
 * An icon button of a tile: a plain element that shares the grid's one tooltip. A hundred tiles are in the document, and
 * scrolling adds more, so each button has to be cheap.
 */
function TileButton({ label, className, ...others }: TileButtonProps) {
  return <button type="button" aria-label={label} className={`${styles.button} ${className}`} {...others} />
}
