import type { Item } from '@alcove/contract/items'

/** What can be done with an item, wherever it is asked for: buttons, menu or keys. */
export interface ItemActions {
  /** Goes into a folder; downloads a file. */
  readonly open: (item: Item) => void
  readonly rename: (item: Item) => void
  readonly download: (item: Item) => void
  readonly move: (item: Item) => void
  readonly remove: (item: Item) => void
  /** Absent where items have no heart, as in the vault. */
  readonly toggleFavorite?: (item: Item) => void
}
