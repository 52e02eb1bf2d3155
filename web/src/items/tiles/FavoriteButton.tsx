import type { Item } from '@alcove/contract/items'
import { IconHeart, IconHeartFilled } from '@tabler/icons-react'
import styles from './FavoriteButton.module.css'
import { TileButton } from './TileButton.tsx'

interface FavoriteButtonProps {
  readonly item: Item
  /** As for the other buttons: only those of the tile that has the keyboard are in its reach. */
  readonly isActive: boolean
  readonly onToggle: (item: Item) => void
}

/** The heart of a tile. One that is set is always to be seen. */
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
